import { jsonpath } from "json-p3";
import type { KubernetesObject } from "capz-types";
import { controlPlaneUpgraded, poolRolled, poolRunning, poolUpgraded } from "../../capi/waits";
import { updateInline } from "../support/inlinePlans";
import { exampleStacks, expectAfter, inputsOf, nameOf, planOf, resource } from "../support/plans";
import { minimal } from "../support/stacks";

/**
 * An upgrade by one line of the stack file: the resources that put it in order. test/life proves the order with the
 * real controllers.
 */

const waitOf = (inputs: unknown): string | undefined =>
  (inputs as KubernetesObject).metadata.annotations?.["pulumi.com/waitFor"];

const skips = (inputs: unknown): boolean =>
  (inputs as KubernetesObject).metadata.annotations?.["pulumi.com/skipAwait"] === "true";

describe.each(exampleStacks)("an upgrade of the stack %s", (stack) => {
  it("changes the control plane, then add-ons, then Linux pools, then Windows pools", async () => {
    const plan = await planOf(stack);
    const all = plan.update.resources.filter(({ custom }) => custom);
    const named = (pattern: RegExp) => all.map(({ name }) => name).filter((name) => pattern.test(name));
    const contents = named(/^(calico|flannel|kube-proxy-windows|cloud-provider-azure)-part-\d+$/);
    expect(contents.length).toBeGreaterThan(1);
    contents.forEach((part) => {
      expectAfter(plan, part, ["control-plane-kubeadm"]);
    });
    const pools = plan.settings;
    const [linux, windows] = [pools.linuxPools, pools.windowsPools].map((each) =>
      Object.keys(each).map((name) => `pool-${name}-pool`),
    ) as [string[], string[]];
    for (const pool of [...linux, ...windows]) {
      expectAfter(plan, pool, [...contents, "control-plane-kubeadm"]);
    }
    for (const pool of windows) {
      expectAfter(plan, pool, linux);
    }
  });

  it("waits after each update of the control plane, but not after its creation", async () => {
    const plan = await planOf(stack);
    const controlPlane = inputsOf(plan, "control-plane-kubeadm");
    // Before there is a Cluster, the control plane has no machine: with its own wait the first `up` would never
    // end.
    expect([waitOf(controlPlane), skips(controlPlane)]).toEqual([undefined, false]);
    const patch = resource(plan, "upgrade-control-plane");
    expect(waitOf(inputsOf(plan, "upgrade-control-plane"))).toBe(
      JSON.stringify([
        controlPlaneUpgraded,
        "jsonpath={.metadata.annotations['capz-windows/awaited']}=upgrades",
      ]),
    );
    expect(patch.dependencies.map(nameOf)).toContain("cluster-initialized");
    expect(nameOf(patch.options.deletedWith!)).toBe("cluster-cluster");
  });
});

const pools = {
  linuxPools: {
    follows: {},
    own: { image: { computeGallery: { gallery: "mine", name: "capi-linux", version: "7" } } },
  },
  windowsPools: { win1: {} },
};

it.each(["controlPlane", "nodes"])(
  "Linux pools are waited for with `wait: %s`, where their image says its version",
  async (wait) => {
    const plan = await updateInline({ ...minimal(), ...pools, wait });
    const patches = plan.update.resources
      .filter(
        ({ type, inputs }) => type.endsWith(":MachinePoolPatch") && waitOf(inputs)?.includes("versions"),
      )
      .map(({ inputs }) => (inputs as unknown as KubernetesObject).metadata.name);
    expect(patches).toEqual(["follows"]);
    const skipping = ["follows", "own", "win1"].filter((name) => skips(inputsOf(plan, `pool-${name}-pool`)));
    expect(skipping).toEqual(["own", "win1"]);
  },
);

const single = {
  kind: "MachineDeployment",
  replicas: 5,
  image: { computeGallery: { gallery: "mine", name: "capi-windows", version: "7" } },
};

it.each([
  ["controlPlane", "upgrade-single", [poolRolled]],
  ["nodes", "pools-single-running", [poolRunning, poolRolled]],
])(
  "single machines keep the templates of before until the last old one is gone, with `wait: %s`",
  async (wait, patch, expected) => {
    const plan = await updateInline({ ...minimal(), windowsPools: { single, win1: {} }, wait });
    const conditions = JSON.parse(waitOf(inputsOf(plan, patch))!) as string[];
    expect(conditions.slice(0, -1)).toEqual(expected);
    // An update of the pool itself waits, because the patch has written the condition to the live object.
    expect(skips(inputsOf(plan, "pool-single-pool"))).toBe(false);
    expect(waitOf(inputsOf(plan, "pool-single-pool"))).toBeUndefined();
    for (const name of [patch, "pool-single-pool"]) {
      expect(resource(plan, name).options.customTimeouts).toMatchObject({ update: "150m" });
    }
  },
);

it("a stack that waits for nothing has no order", async () => {
  const plan = await updateInline({ ...minimal(), ...pools, wait: "none" });
  expect(plan.update.resources.filter(({ name }) => name.startsWith("upgrade"))).toEqual([]);
});

it("an upgrade does not change the patches, because a changed patch would wait itself", async () => {
  const [before, after] = await Promise.all(
    ["v1.35.6", "v1.36.2"].map((kubernetesVersion) =>
      updateInline({ ...minimal(), ...pools, kubernetesVersion }),
    ),
  );
  for (const name of ["upgrade-control-plane", "upgrade-follows"]) {
    expect(inputsOf(after!, name)).toEqual(inputsOf(before!, name));
  }
});

describe("the conditions", () => {
  const met = (condition: string, object: object): boolean =>
    jsonpath.query(/\{(.*)\}$/.exec(condition)![1]!, object as never).values().length > 0;
  const pool = (version: string, status: object) => ({ spec: { template: { spec: { version } } }, status });

  it.each([
    ["the version of all machines", "v1.36.2", { observedGeneration: 2, version: "v1.36.2" }, true],
    ["an old machine", "v1.36.2", { observedGeneration: 2, version: "v1.35.6" }, false],
    ["no machine", "v1.36.2", { observedGeneration: 1 }, false],
    ["no status", "v1.36.2", {}, false],
  ])("of a control plane: %s", (_, version, status, expected) => {
    expect(met(controlPlaneUpgraded, { spec: { version }, status })).toBe(expected);
  });

  it.each([
    ["all nodes new", { observedGeneration: 2, versions: [{ version: "v1.36.2" }] }, true],
    ["none yet", { observedGeneration: 2, versions: [{ version: "v1.35.6" }] }, false],
    ["some", { observedGeneration: 2, versions: [{ version: "v1.36.2" }, { version: "v1.35.6" }] }, false],
    ["no node at all, or a Cluster API that does not tell", { observedGeneration: 2 }, true],
  ])("of a pool: %s", (_, status, expected) => {
    expect(met(poolUpgraded, pool("v1.36.2", status))).toBe(expected);
  });

  it.each([
    ["only new machines", 2, 2, true],
    ["no machine yet in the MachineSet of the change", 2, 0, false],
    ["a new and two old machines", 3, 1, false],
    ["a pool without machines", 0, 0, true],
  ])("of single machines: %s", (_, replicas, updatedReplicas, expected) => {
    const status = { observedGeneration: 2, replicas, deprecated: { v1beta1: { updatedReplicas } } };
    expect(met(poolRolled, { spec: { replicas: 2 }, status })).toBe(expected);
    expect(met(poolRolled, { spec: { replicas: 2 }, status: { ...status, deprecated: undefined } })).toBe(
      false,
    );
  });
});

it("a pool behind its cluster uses the cloud provider of the cluster's version", async () => {
  const image = {
    id: "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/Microsoft.Compute/images/i",
  };
  const plan = await updateInline({
    ...minimal(),
    kubernetesVersion: "v1.26.15",
    controlPlane: { image },
    linuxPools: { lin1: { kubernetesVersion: "v1.25.16", image } },
  });
  expect(inputsOf(plan, "pool-lin1-bootstrap")).toMatchObject({
    spec: {
      joinConfiguration: {
        nodeRegistration: {
          kubeletExtraArgs: expect.arrayContaining([
            { name: "cloud-provider", value: "external" },
          ]) as unknown,
        },
      },
    },
  });
});
