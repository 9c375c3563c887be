import { registriesIn, registryIds } from "../../commands/import/capz/files";
import { kubeletOf } from "../../commands/import/capz/kubelet";
import { controlPlaneKeys, deletionKeys, healthCheckKeys } from "../../commands/import/capz/machines";
import { normalObject } from "../../commands/import/capz/normal";
import { loginServers } from "capz-windows-platform/azure/containerRegistries";
import { isSecretExtension } from "../../commands/import/capz/pools";

/** Edge cases of single keys that no example has. */

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
