import { mergePatch } from "capz-windows-kit/mergePatch";
import { overridden, overriddenPaths } from "../../capi/overrides/overrides";
import { ConfigError } from "capz-windows-kit/problem";

/** The examples of RFC 7386, appendix A. */
it.each<[target: unknown, patch: unknown, result: unknown]>([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j patched with %j is %j", (target, patch, result) => {
  const before = JSON.stringify(target);
  expect(mergePatch(target, patch)).toEqual(result);
  expect(JSON.stringify(target)).toBe(before);
});

const pool = {
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "AzureMachinePool",
  metadata: { name: "win1", namespace: "test" },
  spec: { location: "westeurope", template: { vmSize: "Standard_D4s_v5", osDisk: { osType: "Windows" } } },
};

const controlPlane = {
  apiVersion: "controlplane.cluster.x-k8s.io/v1beta2",
  kind: "KubeadmControlPlane",
  metadata: { name: "test-control-plane", namespace: "test" },
  spec: {
    version: "v1.35.6",
    machineTemplate: { spec: { infrastructureRef: { apiGroup: "x", kind: "y", name: "z" } } },
    kubeadmConfigSpec: {
      clusterConfiguration: { apiServer: { extraArgs: [{ name: "service-account-issuer", value: "x" }] } },
    },
  },
};

const reportOf = (object: typeof pool | typeof controlPlane, patch: unknown): string => {
  try {
    overridden(object, { [object.kind]: patch });
    return "";
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error);
  }
};

it("an object without an override is not changed", () => {
  expect(overridden(pool, { MachinePool: { spec: {} } })).toBe(pool);
});

it("adds missing fields, and keeps fields that the patch does not name", () => {
  const patch = {
    metadata: { labels: { team: "web" } },
    spec: { template: { osDisk: { cachingType: "None" } } },
  };
  expect(overridden(pool, { AzureMachinePool: patch })).toEqual({
    ...pool,
    metadata: { ...pool.metadata, labels: { team: "web" } },
    spec: {
      ...pool.spec,
      template: { ...pool.spec.template, osDisk: { osType: "Windows", cachingType: "None" } },
    },
  });
});

it("reports a field that the CRD requires beside the new ones", () => {
  expect(reportOf(pool, { spec: { template: { diagnostics: { boot: {} } } } })).toBe(
    `AzureMachinePool win1: 1 problem

  overrides.AzureMachinePool.spec.template.diagnostics.boot.storageAccountType
    problem  the CRD requires this field beside those that the override sets
    allowed  a value
    write    storageAccountType: <a value>`,
  );
});

it("a list that replaces one of the program must have its elements", () => {
  const own = { name: "event-ttl", value: "2h" };
  const patchWith = (extraArgs: object[]) => ({
    spec: { kubeadmConfigSpec: { clusterConfiguration: { apiServer: { extraArgs } } } },
  });
  expect(reportOf(controlPlane, patchWith([own]))).toContain(
    `    problem  a merge patch replaces the whole list, and the program's own elements are missing in it
    allowed  a list with the program's elements and yours
    write    extraArgs: [{name: service-account-issuer, value: x}, {name: event-ttl, value: 2h}]`,
  );
  expect(reportOf(controlPlane, patchWith([{ value: "x", name: "service-account-issuer" }, own]))).toBe("");
  // With another value of a name that the program has, the corrected list is one that is accepted.
  expect(reportOf(controlPlane, patchWith([{ name: "service-account-issuer", value: "y" }, own]))).toContain(
    `    problem  a merge patch replaces the whole list, and the program's own elements are missing in it: service-account-issuer must keep the program's value
    allowed  a list with the program's elements and yours
    write    extraArgs: [{name: service-account-issuer, value: x}, {name: event-ttl, value: 2h}]`,
  );
});

it("overrides of a component without the stack config are checked, too", () => {
  expect(reportOf(pool, { spec: { template: { vmSize: "Standard_D8s_v5" } } })).toContain(
    "overrides.AzureMachinePool.spec.template.vmSize\n    problem  an override may not change this",
  );
});

it("names the fields that a patch changes, not the mappings around them", () => {
  expect(
    overriddenPaths({
      MachinePool: { metadata: { labels: { a: "b" } }, spec: { minReadySeconds: 5, x: {} } },
    }),
    // An empty mapping is set as a value, so it is a changed field itself.
  ).toEqual(["MachinePool metadata.labels.a", "MachinePool spec.minReadySeconds", "MachinePool spec.x"]);
});
