import { apiServerKeys } from "../../commands/import/capz/apiServer";
import { registriesIn, registryIds } from "../../commands/import/capz/files";
import { kubeletOf } from "../../commands/import/capz/kubelet";
import { controlPlaneKeys, deletionKeys, healthCheckKeys } from "../../commands/import/capz/machines";
import { normalObject } from "../../commands/import/capz/normal";
import { loginServers } from "capz-windows-platform/azure/containerRegistries";
import { isSecretExtension } from "../../commands/import/capz/pools";

/** Edge cases of single keys that no example has. */

/** The keys of a control plane whose API server has these settings. */
const keysWith = (apiServer: object, files: readonly object[]) =>
  apiServerKeys(
    normalObject({
      ...{ apiVersion: "controlplane.cluster.x-k8s.io/v1beta1", kind: "KubeadmControlPlane", metadata: {} },
      spec: { kubeadmConfigSpec: { clusterConfiguration: { apiServer }, files } },
    }).spec.kubeadmConfigSpec,
  );

describe("kubelet's configuration", () => {
  test.each([
    [{ imageMinimumGCAge: "1h30m0s" }, { imageGC: { minAgeMinutes: 90 } }],
    // The rules take them out, with the reason.
    [{ imageMinimumGCAge: "90s" }, { configuration: { imageMinimumGCAge: "90s" } }],
    [{ serializeImagePulls: false }, { configuration: { serializeImagePulls: false } }],
    [{ containerLogMaxSize: "1Gi" }, { containerLogs: { maxSizeMi: 1024 } }],
    [{ serializeImagePulls: true }, { maxParallelImagePulls: 1 }],
    [{ serializeImagePulls: false, maxParallelImagePulls: 4 }, { maxParallelImagePulls: 4 }],
    [{ systemReserved: { cpu: "500m", memory: "2Gi" } }, undefined],
    [{ systemReserved: { cpu: "1", memory: "2Gi" } }, { reserved: { cpu: "1", memory: "2Gi" } }],
    [{ podsPerCore: 10 }, { configuration: { podsPerCore: 10 } }],
  ])("%j", (configuration, keys) => {
    expect(kubeletOf({ kind: "KubeletConfiguration", ...configuration }, {}, "windows")).toEqual(keys);
  });
});

describe("health checks", () => {
  const check = (spec: object) =>
    normalObject({ apiVersion: "v1", kind: "MachineHealthCheck", metadata: {}, spec });

  test("of v1beta1 objects become the keys that differ from the defaults", () => {
    const old = {
      nodeStartupTimeout: "60m",
      maxUnhealthy: "100%",
      unhealthyConditions: [
        { type: "Ready", status: "Unknown", timeout: "300s" },
        { type: "Ready", status: "False", timeout: "30m" },
      ],
    };
    expect(healthCheckKeys(check(old), 3, true)).toEqual({
      ...{ unhealthyLessThanOrEqualTo: "100%", nodeStartupTimeoutSeconds: 3600 },
      nodeNotReadyTimeoutSeconds: 1800,
    });
  });

  test("are switched off for a pool without one only if the source has others", () => {
    expect(healthCheckKeys(undefined, 3, true)).toEqual({ enabled: false });
    expect(healthCheckKeys(undefined, 3, false)).toBeUndefined();
  });

  test("a limit that is the default for the pool's size becomes no key", () => {
    const limited = (limit: unknown) =>
      healthCheckKeys(check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: limit } } }), 5, true);
    expect(limited(2)).toBeUndefined();
    expect(limited("3")).toEqual({ unhealthyLessThanOrEqualTo: 3 });
  });
});

test.each(["v1beta1", "v1beta2"])("certificates of %s are renewed as the source says", (version) => {
  const before = { certificatesExpiryDays: 21 };
  const { spec } = normalObject({
    apiVersion: `controlplane.cluster.x-k8s.io/${version}`,
    kind: "KubeadmControlPlane",
    metadata: {},
    spec: version === "v1beta1" ? { rolloutBefore: before } : { rollout: { before } },
  });
  expect(controlPlaneKeys(normalObject({ kind: "AzureMachineTemplate" }), spec)).toEqual(before);
});

test("deletion has the annotations, and the limits that no webhook sets by default", () => {
  const template = {
    metadata: { annotations: { "machine.cluster.x-k8s.io/exclude-node-draining": "true" } },
    spec: { deletion: { nodeDrainTimeoutSeconds: 60, nodeDeletionTimeoutSeconds: 10 } },
  };
  expect(deletionKeys(template)).toEqual({ drain: false, nodeDrainTimeoutSeconds: 60 });
  expect(deletionKeys(template, true)).toEqual({ drain: false });
});

describe("Azure container registries", () => {
  const id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerRegistry/registries/mycompany";
  const file = (hosts: readonly string[]) => [
    {
      path: "/etc/kubernetes/credential-provider.yaml",
      content: JSON.stringify({ providers: [{ matchImages: hosts }] }),
    },
  ];

  test("are recognized by their hosts, and their resource group is a variable to set", () => {
    expect(registriesIn(file(loginServers(id)))).toEqual(["mycompany"]);
    expect(registryIds(["mycompany"], "s", { RESOURCE_GROUP_OF_MYCOMPANY: "g" })).toEqual([id]);
    expect(registryIds(["mycompany"], "s", {})[0]).toContain("variable--RESOURCE--GROUP--OF--MYCOMPANY--");
  });

  test("wildcards for all registries name none", () => {
    expect(registriesIn(file(["*.azurecr.io", "*.azurecr.cn", "mycompany.azurecr.io"]))).toEqual([]);
  });
});

test.each([
  [{ protectedSettings: { commandToExecute: "x" } }, true],
  [{ settings: { storageAccountKey: "abc" } }, true],
  [{ settings: { authentication: "managedIdentity" } }, false],
  [{}, false],
])("an extension %j may have a secret: %s", (extension, expected) => {
  expect(isSecretExtension(extension)).toBe(expected);
});

describe("the audit log", () => {
  const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] };
  const flags = {
    "audit-policy-file": "/etc/kubernetes/policies/audit.yaml",
    "audit-log-path": "/var/log/apiserver/audit.log",
    "audit-log-maxage": "30",
    "audit-log-maxbackup": "5",
    "audit-log-maxsize": "100",
  };
  const volumes = [
    { name: "policies", hostPath: "/etc/own", mountPath: "/etc/kubernetes/policies", readOnly: true },
  ];
  const auditIn = (extraArgs: object, path: string, content = JSON.stringify(policy)) =>
    keysWith({ extraArgs, extraVolumes: volumes }, [
      { path, content: Buffer.from(content).toString("base64"), encoding: "base64" },
    ]);

  test("has the policy that the API server reads by a volume, and what differs from the defaults", () => {
    expect(auditIn(flags, "/etc/own/audit.yaml")).toMatchObject({
      audit: { maxBackups: 5, policy },
      leftOut: [],
    });
  });

  test.each([
    ["is not in the source", auditIn(flags, "/etc/other.yaml")],
    ["is no YAML", auditIn(flags, "/etc/own/audit.yaml", "{")],
    ["has no rules", auditIn(flags, "/etc/own/audit.yaml", "kind: Policy")],
  ])("is the built-in one where the policy %s", (_what, found) => {
    expect(found).toEqual({
      audit: { maxBackups: 5 },
      leftOut: [
        {
          from: "KubeadmControlPlane audit-policy-file /etc/kubernetes/policies/audit.yaml",
          why: "the policy is not in the source, or no YAML with rules; the stack has the built-in one",
          instead: "controlPlane.audit.policy or controlPlane.audit.policyFile",
        },
      ],
    });
  });

  test("is none where the API server writes none", () => {
    const without = (flag: string) =>
      Object.fromEntries(Object.entries(flags).filter(([name]) => name !== flag));
    for (const found of [{}, without("audit-policy-file"), without("audit-log-path")]) {
      expect(auditIn(found, "/etc/own/audit.yaml")).toEqual({ leftOut: [] });
    }
  });
});

describe("login by an issuer", () => {
  const issuerUrl = "https://login.example.com/realms/company";
  const flags = { "oidc-issuer-url": issuerUrl, "oidc-client-id": "kubernetes" };
  const loginIn = (extraArgs: object, files: object[] = []) => keysWith({ extraArgs }, files);
  const issuer = { issuerUrl, audiences: ["kubernetes"] };

  test.each([
    ["the names that the API server has by default", flags, { ...issuer, usernamePrefix: `${issuerUrl}#` }],
    [
      "claims and prefixes",
      {
        ...flags,
        "oidc-username-claim": "email",
        "oidc-username-prefix": "company:",
        "oidc-groups-claim": "roles",
        "oidc-groups-prefix": "company:",
      },
      {
        ...issuer,
        ...{ usernameClaim: "email", groupsClaim: "roles" },
        ...{ usernamePrefix: "company:", groupsPrefix: "company:" },
      },
    ],
  ])("has %s", (_what, args, expected) => {
    expect(loginIn(args)).toEqual({ authentication: { oidc: [expected] }, leftOut: [] });
  });

  test("has the certificate authority of a file", () => {
    const args = { ...flags, "oidc-ca-file": "/etc/kubernetes/oidc.pem" };
    const own = { ...issuer, usernamePrefix: `${issuerUrl}#`, certificateAuthority: "PEM" };
    expect(loginIn(args, [{ path: "/etc/kubernetes/oidc.pem", content: "PEM" }])).toEqual({
      authentication: { oidc: [own] },
      leftOut: [],
    });
  });

  test("says what is no longer asked of tokens, and which names change where there was no prefix", () => {
    const { authentication, leftOut } = loginIn({
      ...flags,
      "oidc-username-claim": "email",
      "oidc-groups-claim": "groups",
      "oidc-required-claim": "a=b",
    });
    expect(authentication).toEqual({
      oidc: [{ ...issuer, usernameClaim: "email" }],
    });
    expect(leftOut).toEqual([
      {
        from: "KubeadmControlPlane oidc-required-claim a=b",
        why: "the program has no key for it, so tokens are accepted that the source refuses",
        instead: "a separate application at the issuer, for this cluster alone",
      },
      ...["users", "groups"].map((whose) => ({
        from: `KubeadmControlPlane prefix of ${whose} ""`,
        why: `a prefix ends in : / # @ or -, so that no token can have a name of Kubernetes itself; with "oidc:" ${whose} have other names than in your bindings`,
        instead: "controlPlane.authentication.administrators and readers, and bindings with the new names",
      })),
    ]);
  });

  test("is none without an issuer", () => {
    expect(loginIn({ "oidc-client-id": "kubernetes" })).toEqual({ leftOut: [] });
  });
});
