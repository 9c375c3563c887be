import fc from "fast-check";
import { rightConfigBase } from "./rightConfigBase";
import { some } from "./rightPools";

/** Audit logs that fit every OS disk, and policies that every version of Kubernetes reads. */

const policies = [
  { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] },
  {
    ...{ apiVersion: "audit.k8s.io/v1", kind: "Policy", metadata: { name: "own" } },
    omitStages: ["RequestReceived", "Panic"],
    rules: [
      { level: "None", users: ["system:kube-proxy"], verbs: ["watch"], nonResourceURLs: ["/healthz*", "*"] },
      {
        ...{ level: "Metadata", userGroups: ["system:authenticated"], namespaces: ["", "web"] },
        resources: [{ group: "", resources: ["secrets", "pods/exec"], resourceNames: ["own"] }],
        omitStages: ["ResponseStarted"],
      },
      { level: "RequestResponse", resources: [{ group: "apps" }] },
    ],
  },
];

const audit = fc
  .tuple(
    some({
      maxAgeDays: fc.integer({ min: 1, max: 3650 }),
      maxBackups: fc.integer({ min: 1, max: 20 }),
      maxSizeMiB: fc.integer({ min: 1, max: 300 }),
    }),
    fc.constantFrom(
      {},
      { policyFile: "test/support/audit-policy.yaml" },
      ...policies.map((policy) => ({ policy })),
    ),
  )
  .map(([size, policy]) => ({ ...size, ...policy }));

const encryption = fc
  .tuple(
    fc.constantFrom(["key1"], ["b", "a"], ["identity", "a-2026"]),
    fc.constantFrom({}, { resources: ["secrets", "configmaps"] }, { resources: ["configmaps"] }),
  )
  .map(([keys, resources]) => ({ keys, ...resources }));

type Raw = Record<string, unknown>;

export const rightConfig: fc.Arbitrary<Raw> = fc
  .tuple(
    rightConfigBase,
    fc.option(audit, { nil: undefined, freq: 2 }),
    fc.option(encryption, { nil: undefined, freq: 2 }),
  )
  .map(([config, log, keys]) =>
    log === undefined && keys === undefined
      ? config
      : {
          ...config,
          controlPlane: {
            ...(config.controlPlane as Raw | undefined),
            ...(log === undefined ? {} : { audit: log }),
            ...(keys === undefined ? {} : { encryption: keys }),
          },
        },
  );
