import { readFileSync } from "node:fs";
import { providerNamespaces } from "capz-windows-platform/cluster/providerNamespaces";
import type { KubernetesObject } from "capz-types";
import type { Plan } from "../../plan/model/plan";
import { FakeControllers } from "./controllers";
import { Engine } from "./engine";
import { deploy, deployAgain, destroy, expectUnchanged, Objects, objectsIn, planExample } from "./examples";
import { componentNames } from "../components/pages/schema";
import { componentOf, tokenOf } from "../components/pages/program";
import { startComponents } from "../support/componentPlugin";
import { isWholeRun, sayLeftOut } from "./ofRun";
import { missing } from "./pulumiCli";
import { yamlIsMissing, yamlProject, yamlResources } from "./yamlProgram";

/**
 * The examples that make a management cluster of AKS, deployed and destroyed twice by the real engine. The test API server is
 * that cluster: what is in it goes when the pretended Azure deletes it. One stack after the other.
 */

const stacks = [
  ...["dev", "prod", "pools", "mirrored", "volumes", "autoscaled", "everything", "dockershim"],
  "private-management",
];

/** They use the management cluster of the stack `management`. */
const teams = ["team-a", "team-b"];

/**
 * An API server no longer reads ConfigMaps that are parameters when the last binding with such parameters has gone
 * (kubernetes/kubernetes#130887). Here one server is several management clusters, so one binding stays.
 */
const parametersAreRead: readonly KubernetesObject[] = [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "parameters-are-read" },
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: {
        resourceRules: [
          { apiGroups: [""], apiVersions: ["v1"], resources: ["nodes"], operations: ["DELETE"] },
        ],
      },
      validations: [{ expression: "true" }],
    },
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "parameters-are-read" },
    spec: {
      policyName: "parameters-are-read",
      validationActions: ["Deny"],
      paramRef: { namespace: "default", selector: {}, parameterNotFoundAction: "Allow" },
    },
  },
];

const { pulumi, kubeconfig, reason } = missing();

// Each takes a minute on a machine that does nothing else.
jest.setTimeout(1_800_000);

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else if (!isWholeRun) {
  const others = ["management, with two stacks that use it", "every component from a program in YAML"];
  sayLeftOut("stacks that make a management cluster", [...stacks, ...others]);
} else {
  let engine: Engine;
  let controllers: FakeControllers;
  let server: Objects;
  /** Namespaces in the management cluster, and the workload cluster's. */
  const namespaces = new Set(["default"]);
  /** What is in the management cluster. */
  let plans: Plan[] = [];

  const planned = async (stack: string): Promise<Plan> => {
    const plan = await planExample(engine, stack, readFileSync(kubeconfig, "utf8"));
    for (const { kind, metadata } of objectsIn(plan)) {
      namespaces.add((kind === "Namespace" ? metadata.name : metadata.namespace) ?? "default");
    }
    return plan;
  };

  beforeAll(async () => {
    const workload = readFileSync(kubeconfig, "utf8");
    engine = await Engine.begin(pulumi);
    engine.pretendLogin(workload);
    controllers = new FakeControllers(kubeconfig, (name) => namespaces.has(name), { workload });
    server = new Objects(kubeconfig);
    for (const object of parametersAreRead) {
      expect((await server.apply(object, { dryRun: false })).status).toBeLessThan(300);
    }
    Object.assign(engine.azure, {
      machines: () => controllers.subnetsInUse(),
      kubeconfig: () => workload,
      deleted: () => server.clear(plans.flatMap(objectsIn)),
    });
  });
  afterAll(async () => {
    await server.clear(plans.flatMap(objectsIn));
    await controllers.stop();
    server.close();
    engine.end();
  });

  it.each(stacks)("%s", async (stack) => {
    const plan = await planned(stack);
    plans = [plan];
    await deploy(engine, plan);
    await expectUnchanged(engine, plan);
    await destroy(engine, plan);
    expect(engine.azure.store.ids()).toEqual([]);
    await deployAgain(engine, plan);
    await destroy(engine, plan);
    expect(engine.azure.store.ids()).toEqual([]);
  });

  it("management, with two stacks that use it", async () => {
    const management = await planned("management");
    const others = await Promise.all(teams.map(planned));
    plans = [management];
    await deploy(engine, management);
    await expectUnchanged(engine, management);
    const before = engine.azure.store.ids();
    await Promise.all(others.map((plan) => deploy(engine, plan)));
    await Promise.all(others.map((plan) => expectUnchanged(engine, plan)));
    // The management cluster refuses to go while others use it, before anything is deleted.
    const refused = await engine.run("management", ["destroy", "--yes", "--skip-preview"]);
    expect(refused.code).not.toBe(0);
    // The API server names one of the two.
    expect(refused.output).toMatch(/the cluster (team-[ab])\/\1 of the stack \S+\/\1 lives on this/);
    expect(engine.azure.store.ids()).toEqual(expect.arrayContaining(before));
    await Promise.all(others.map((plan) => destroy(engine, plan)));
    expect(await server.existing(others.flatMap(objectsIn))).toEqual([]);
    expect(engine.azure.store.ids().sort()).toEqual([...before].sort());
    await Promise.all(others.map((plan) => deployAgain(engine, plan)));
    await Promise.all(others.map((plan) => destroy(engine, plan)));
    await destroy(engine, management);
    expect(engine.azure.store.ids()).toEqual([]);
  });

  const upAndDown = async (theirs: Engine, stack: string, resources: object): Promise<void> => {
    for (const name of ["blue", ...providerNamespaces]) {
      namespaces.add(name);
    }
    Object.assign(theirs.azure, {
      machines: () => controllers.subnetsInUse(),
      kubeconfig: () => readFileSync(kubeconfig, "utf8"),
      deleted: () => server.clear(theirs.objects(stack)),
    });
    await theirs.init(stack);
    const up = await theirs.must(stack, ["up", "--yes", "--skip-preview"]);
    const created = up.runs[0]!.urns.create!;
    expect(Object.keys(up.runs[0]!.urns)).toEqual(["create"]);
    expect(created.map((urn) => urn.split("::").at(-1))).toEqual(
      expect.arrayContaining(Object.keys(resources)),
    );
    const again = await theirs.must(stack, ["preview", "--expect-no-changes"]);
    expect(again.runs[0]!.urns).toEqual({ same: created });
    const down = await theirs.must(stack, ["destroy", "--yes", "--skip-preview"]);
    expect(down.runs[0]!.urns).toEqual({ delete: created });
    expect([theirs.state(stack), theirs.azure.store.ids()]).toEqual([[], []]);
  };

  const noYaml = yamlIsMissing(pulumi);
  if (noYaml !== undefined) {
    it.skip(noYaml, () => undefined);
  } else {
    it("every component from a program in YAML", async () => {
      const resources = yamlResources();
      const components = Object.values(resources).filter((each) => tokenOf(each) !== undefined);
      expect(components.map(componentOf).sort()).toEqual(componentNames());
      const project = yamlProject(resources);
      const plugin = await startComponents(project.dir);
      const theirs = await Engine.begin(pulumi, project, [`capz-windows:${plugin.port}`]);
      try {
        await upAndDown(theirs, "blue", resources);
      } finally {
        await server.clear(theirs.objects("blue"));
        theirs.end();
        plugin.stop();
      }
    });
  }
}
