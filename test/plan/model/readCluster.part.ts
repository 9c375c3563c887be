import { diffPlans } from "../../../plan/compare/diffPlans";
import { impactsOf } from "../../../plan/impact/impacts";
import { readCluster } from "../../../plan/model/cluster/readCluster";
import type { Plan } from "../../../plan/model/plan";
import type { PlanDocument } from "capz-windows-contract";
import { htmlReport } from "../../../plan/reports/html/page";
import { formatPlan } from "../../../plan/reports/planText";
import { address } from "pulumi-plan-engine";
import { updateInline } from "../../support/inlinePlans";
import { documentOf, withInput, without } from "../../support/planDocuments";
import { planOf } from "../../support/plans";
import { minimal } from "../../support/stacks";

/** Plan of a Windows MachineDeployment with every option different from its default, beside a scale set. */
let plan: Plan;
beforeAll(async () => {
  plan = await updateInline({
    ...minimal(),
    wait: "nodes",
    linuxPools: { lin1: { autoscale: { min: 1, max: 4 } } },
    windowsPools: {
      scaleset: { windowsServer: "2022", zones: ["1", "3"] },
      single: {
        kind: "MachineDeployment",
        windowsServer: "2025",
        zones: ["2"],
        rollout: { maxSurge: 2, maxUnavailable: 1 },
      },
    },
  });
});

/** The same plan from a program that gives every resource another logical name. */
function renamed(document: PlanDocument): PlanDocument {
  const names = new Map(document.resources.map(({ urn }, index) => [urn, `x${index}`]));
  const urns = new Map(
    [...names].flatMap(([urn, name]) => {
      const other = urn.replace(/::[^:]*$/, `::${name}`);
      // The engine derives the addresses of resources from their URNs.
      return [
        [urn, other],
        [`${address(urn)}/32`, `${address(other)}/32`],
      ];
    }),
  );
  const change = (value: unknown): unknown =>
    typeof value === "string"
      ? (urns.get(value) ?? value)
      : Array.isArray(value)
        ? value.map(change)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
          : value;
  const resources = document.resources.map((resource) => ({
    ...(change(resource) as typeof resource),
    name: names.get(resource.urn) ?? "",
  }));
  return { ...document, resources };
}

/** Everything of a model that is not a URN or the name of a component. */
function withoutNames(document: PlanDocument): unknown {
  const { pools, controlPlane, addons, ...cluster } = readCluster(document);
  return {
    ...cluster,
    controlPlane: { ...controlPlane, members: Object.keys(controlPlane?.members ?? {}) },
    pools: pools.map((pool) => ({ ...pool, members: Object.keys(pool.members) })),
    addons: addons
      .map(({ streams }) => streams)
      .sort((a, b) => ((a[0]?.configMap ?? "") < (b[0]?.configMap ?? "") ? -1 : 1)),
  };
}

describe("the model of a cluster", () => {
  it("is the same for a new plan and for its plan.json", () => {
    // What people do in Azure is by the ids of resources, which plan.json leaves out: only rights/ of a new plan needs them.
    const withoutPeople = ({ rights, ...rest }: Plan["cluster"]) => ({
      ...rest,
      rights: { ...rights, people: [] },
    });
    expect(withoutPeople(readCluster(documentOf(plan)))).toEqual(withoutPeople(plan.cluster));
  });

  it.each(["dev", "existing", "prod", "dockershim"])(
    "of %s does not depend on logical names",
    async (stack) => {
      const document = documentOf(await planOf(stack));
      expect(withoutNames(renamed(document))).toEqual(withoutNames(document));
    },
  );

  it("has a MachineDeployment with all options of its stack file", () => {
    const [, , single] = plan.cluster.pools;
    expect(single).toMatchObject({
      name: "single",
      os: "windows",
      kind: "MachineDeployment",
      windowsServer: "2025",
      replicas: 2,
      zones: ["2"],
      rollout: { maxSurge: 2, maxUnavailable: 1 },
      computerNamePrefix: "single-",
      firstNodes: [],
      access: { ssh: expect.stringContaining("capi@NODE") as string },
    });
    expect(single).not.toHaveProperty("scaleSet");
    const types = Object.fromEntries(
      Object.entries(single!.members).map(([role, urn]) => [role, /([^:]*)::[^:]*$/.exec(urn)?.[1]]),
    );
    expect(types).toEqual({
      component: "WindowsPool",
      machines: "MachineDeployment",
      infrastructure: "AzureMachineTemplate",
      bootstrap: "KubeadmConfigTemplate",
      healthCheck: "MachineHealthCheck",
    });
  });

  it("has scale sets with their zones, names and autoscaler", () => {
    const [lin1, scaleset] = plan.cluster.pools;
    expect(scaleset).toMatchObject({
      kind: "MachinePool",
      windowsServer: "2022",
      zones: ["1", "3"],
      scaleSet: "scaleset",
      firstNodes: ["scaleset000000", "scaleset000001"],
    });
    expect(lin1).toMatchObject({ os: "linux", replicas: 1, autoscale: { min: 1, max: 4 }, scaleSet: "lin1" });
    expect(lin1).not.toHaveProperty("windowsServer");
  });

  it("of a plan without resources is empty", () => {
    const empty = readCluster({ resources: [], outputs: {} });
    expect(empty).toMatchObject({ name: "", pools: [], addons: [] });
    expect(empty).not.toHaveProperty("controlPlane");
  });
});

describe("reports of a MachineDeployment", () => {
  it("name its release, zone, rollout and kind, and no scale set", () => {
    const page = htmlReport([{ stack: "dev", plan }]).replace(/\s+/g, " ");
    expect(page).toMatch(/<strong>single<\/strong> <span>Windows Server 2025<\/span>/);
    expect(page).toContain("2 × Standard_D4s_v5");
    expect(page).toContain("zone 2");
    expect(page).toContain("surge 2, unavailable 1");
    expect(page).not.toContain("scale set single");
    expect(
      formatPlan(plan, { out: "out", files: [] }, { color: false, width: 100, verbose: true }),
    ).toContain("MachineDeployment: single- …\n                 rolls with surge 2, unavailable 1\n");
  });
});

describe("impacts", () => {
  /** The document with other logical names, the same on both sides, so that resources keep their counterparts. */
  function renamedAlike(document: PlanDocument): PlanDocument {
    const names = [...new Set(document.resources.map(({ name }) => name))];
    const text = names.reduce(
      (changed, name) =>
        changed
          .replaceAll(`::${name}"`, `::z-${name}-z"`)
          .replaceAll(`"name":"${name}","options"`, `"name":"z-${name}-z","options"`),
      JSON.stringify(document),
    );
    return JSON.parse(text) as PlanDocument;
  }

  /** The document with a change in every part of the stack that a rule knows. */
  function edited(document: PlanDocument): PlanDocument {
    const image = ["spec", "template", "image", "computeGallery", "version"];
    const removed = /^(pool-lin1|control-plane-health-check|kube-proxy-windows|cluster-api-providers-core)/;
    return [
      (plain: PlanDocument) => withInput(plain, "pool-scaleset-azure", image, "1.35.7"),
      (plain: PlanDocument) => withInput(plain, "pool-single-pool", ["spec", "replicas"], 4),
      (plain: PlanDocument) => withInput(plain, "control-plane-kubeadm", ["spec", "version"], "v1.35.9"),
      (plain: PlanDocument) => without(plain, ({ name }) => removed.test(name)),
    ].reduce((plain, change) => change(plain), document);
  }

  it("depend on no logical names except those that they show", () => {
    const rulesOf = (change: (document: PlanDocument) => PlanDocument): string[] => {
      const [base, head] = [change(documentOf(plan)), change(edited(documentOf(plan)))];
      const impacts = impactsOf({ base, head, diff: diffPlans(base, head) });
      return impacts.map(({ rule, nodes }) => `${rule} ${nodes}`).sort();
    };
    expect(rulesOf((document) => document)).toEqual([
      "addon-removed 0",
      "cluster-api-removed 0",
      "control-plane-rolls 3",
      "health-check 0",
      "linux-pools-closed 0",
      "pool-deleted 1",
      "pool-rolls 2",
      "pool-scales-up 0",
    ]);
    expect(rulesOf(renamedAlike)).toEqual(rulesOf((document) => document));
  });
});
