import type { Get } from "capz-windows-doctor/cluster/answers";
import { apiVersions } from "../../capi/apiVersions";
import { compared } from "../../commands/import/capz/compare";
import { importSource } from "../../commands/import/importSource";
import { liveText } from "../../commands/import/live";
import { objectsOfPlan } from "../../commands/import/plan";
import { planner } from "../import/support";
import { allExamples, exampleStacks as someStacks, planOf } from "../support/plans";
import { azureErrors, type Fault } from "./azure/faults";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, deletedMachines, deletionOf, inOrder, live, livesIn } from "./lives";

/** Errors with which Azure answers the stack dev at first. The other stacks get none. */
const errors: readonly Fault[] = [
  { method: "PUT", path: /\/dev\/.*\/loadBalancers\/[^/]+$/i, times: 1, ...azureErrors.throttled },
  {
    method: "PUT",
    path: /\/dev\/.*\/publicIPAddresses\/pip-dev-apiserver$/i,
    times: 1,
    ...azureErrors.unavailable,
  },
  { method: "PUT", path: /\/dev\/.*\/networkInterfaces\/[^/]+$/i, times: 1, ...azureErrors.internal },
  { method: "PUT", path: /\/dev\/.*\/virtualMachines\/[^/]+$/i, times: 1, ...azureErrors.quota },
  { method: "PUT", path: /\/dev\/.*\/virtualMachineScaleSets\/[^/]+$/i, times: 1, ...azureErrors.conflict },
];

/** What an import leaves out, and says why: the keys of an encryption are in the state of the stack, and in no object. */
const encryption = [
  "clusterConfiguration.apiServer.extraArgs[encryption-provider-config]",
  "clusterConfiguration.apiServer.extraVolumes[encryption]",
  "files[/etc/kubernetes/encryption.yaml]",
].map((field) => `controlPlane KubeadmControlPlane spec.kubeadmConfigSpec.${field}`);
const leftOut: Readonly<Record<string, readonly string[]>> = { dev: encryption };

const allStacks = process.env.CAPZ_WINDOWS_LIVES === "all" ? allExamples : someStacks;

/** Those that need no other stack first; a cluster in the management cluster of another one is in sharedManagement. */
const exampleStacks = allStacks.filter((stack) => stack !== "team-a");

/** Number of workload clusters at the same time: two CPUs can run that many API servers. */
const atOnce = 3;

/** The example stacks from creation to deletion, some of them at the same time in one management cluster. */
livesIn("the example stacks", {}, (world) => {
  const lives = new Map<string, Life>();
  let births: Map<string, Promise<void>> | undefined;
  let deaths: Map<string, Promise<void>> | undefined;

  /** Starts all stacks, a limited number at a time. Each test awaits its own. */
  const together = (run: (stack: string) => Promise<void>): Map<string, Promise<void>> => {
    const line: Promise<void>[] = [];
    return new Map(
      exampleStacks.map((stack, place) => {
        const running = (line[place - atOnce] ?? Promise.resolve()).then(() => run(stack));
        line.push(running.catch(() => undefined));
        return [stack, running];
      }),
    );
  };

  /** Answers of the API server through kubectl, because Jest cannot load @kubernetes/client-node. */
  const raw: Get = async (path) => ({
    status: 200,
    body: JSON.parse(await world().kubectl("get", "--raw", path)) as unknown,
  });

  const birth = async (stack: string): Promise<void> => {
    const plan = await planOf(stack);
    const life = await world().begins(plan, { patience: 400 });
    lives.set(stack, life);
    const met = (stack === "dev" ? errors : []).map((fault) => world().arm.faults.add(fault));
    const entries = await live(life, "bring-up", async () => {
      await life.deployment.up(plan);
      await allRun(world(), life, plan, 300);
      await until(`scale sets of ${stack} are as they should be`, 60, async () => {
        const all = await world().kube.list({ apiVersion: apiVersions.azure, kind: "AzureMachinePool" });
        const own = all.filter(({ metadata }) => metadata.namespace === life.namespace);
        return own.every(({ status }) => status?.ready === true);
      });
    });
    expect(met.map((fault) => fault.met())).toEqual(met.map(() => 1));
    expect(deletedMachines(entries)).toEqual([]);
    expect(life.capacity.violations()).toEqual([]);
  };

  const death = async (stack: string): Promise<void> => {
    const life = lives.get(stack)!;
    const { resources } = await planOf(stack);
    const hasNetwork = resources.some(({ type }) => type === "azure-native:network:VirtualNetwork");
    const entries = await live(life, "destroy", () => life.deployment.destroy());
    expect(
      inOrder(
        entries,
        deletionOf(/^virtualMachineScaleSets [^/]+$/),
        deletionOf(/^virtualMachines /),
        deletionOf(/^loadBalancers /),
        // A VNET of others, with its security groups, stays.
        ...(hasNetwork ? [deletionOf(/^virtualNetworks /), deletionOf(/^networkSecurityGroups /)] : []),
        deletionOf(/^resourceGroups /),
      ),
    ).toBe(true);
  };

  it.each(exampleStacks)(
    "%s comes up, and no machine is deleted on the way",
    async (stack) => {
      births ??= together(birth);
      await births.get(stack);
    },
    900_000,
  );

  it.each(exampleStacks.filter((stack) => ["dev", "pools"].includes(stack)))(
    "%s, as its controllers have completed it, is imported as the same stack",
    async (stack) => {
      births ??= together(birth);
      await births.get(stack);
      const { namespace } = lives.get(stack)!;
      const printed = await world().kubectl("get", await world().kinds(), "-n", namespace, "-o", "yaml");
      const read = await liveText(raw, namespace);
      const plan = objectsOfPlan(await planOf(stack));
      for (const text of [{ name: "kubectl", text: printed }, read]) {
        const { config, open, unexplained, fields } = await importSource([text], {}, planner);
        const differences = compared(plan, await planner(config));
        expect({
          open,
          unexplained,
          differences: differences.map((one) => `${one.place} ${one.kind} ${one.path}`),
        }).toEqual({ open: [], unexplained: [], differences: leftOut[stack] ?? [] });
        process.stdout.write(`${stack} from ${text.name}: ${JSON.stringify(fields)}\n`);
      }
    },
    900_000,
  );

  it.each(exampleStacks)(
    "%s goes away: pools, control plane, load balancer, network, resource group",
    async (stack) => {
      deaths ??= together(death);
      await deaths.get(stack);
    },
    900_000,
  );

  it("nothing is left in Azure except resources of others", () => {
    const others = [...lives.values()].flatMap(({ deployment }) => [...deployment.others]);
    const left = world()
      .arm.store.all()
      .map(({ id }) => id);
    expect(left.sort()).toEqual(others.sort());
  });
});
