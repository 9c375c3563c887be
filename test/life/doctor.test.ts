import { join } from "node:path";
import { apiVersions } from "../../capi/apiVersions";
import { diagnose } from "capz-windows-doctor/diagnose";
import type { Diagnosis } from "capz-windows-doctor/diagnosis";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";
import type { Plan } from "../../plan/model/plan";
import { sleep } from "./azure/clock";
import { azureErrors, type Fault } from "./azure/faults";
import { until } from "./deploy";
import type { Life } from "./harness";
import { allRun, live, livesIn } from "./lives";
import { alarmsDuring, look, recordings } from "./look";
import { poolErrors } from "./sick";
import { planned, stackOf } from "./stacks";

/**
 * The doctor checks a management cluster with the real managers and a workload cluster through their kubeconfigs, as
 * users run it. CAPZ_WINDOWS_RECORD names a directory for the objects that it reads, for instance packages/doctor/test/recorded.
 */

const size = (replicas: number) =>
  stackOf("sick", { windowsPools: { win1: { replicas } }, linuxPools: { linux1: { replicas: 1 } } });

livesIn("the doctor", {}, (world) => {
  let life: Life;
  let plan: Plan;

  const doctor = (shot: string): Promise<Diagnosis> => look(world(), life, shot);

  const first = ({ findings }: Diagnosis): string | undefined => findings[0]?.id;

  /** Makes CAPZ reconcile the object at once. After many errors it would wait long before the next attempt. */
  const nudge = (kind: string, name: string): Promise<void> =>
    world().kube.patch({
      apiVersion: kind.startsWith("Azure") ? apiVersions.azure : apiVersions.cluster,
      kind,
      metadata: {
        name,
        namespace: life.namespace,
        annotations: { "capz-windows/nudge": String(performance.now()) },
      },
    });

  /** Expects that the doctor names a fault first while it lasts. */
  async function names(rule: string, fault: Fault, touch: () => Promise<void>): Promise<void> {
    const { lift } = world().arm.faults.add(fault);
    let said: Diagnosis | undefined;
    try {
      await until(`the doctor names ${rule}`, 60, async () => {
        await touch();
        await sleep(1500);
        said = await doctor(rule);
        return first(said) === rule;
      });
    } catch (error) {
      const found = said?.findings.map(({ id, proofs }) => `${id}: ${proofs[0]?.text ?? ""}`).join("\n");
      throw new Error(`${String(error)}\ninstead: ${found ?? ""}`, { cause: error });
    } finally {
      lift();
    }
  }

  beforeAll(async () => {
    plan = await planned(size(1));
    life = await world().begins(plan);
  });

  it("the quota of the first machine is the first cause, and there is no alarm while the cluster comes up", async () => {
    let alarms: readonly string[] = [];
    await live(life, "bring-up with a fault", async () => {
      const { lift } = world().arm.faults.add({
        method: "PUT",
        path: /virtualMachines\/[^/]+$/i,
        ...azureErrors.quota,
      });
      await life.deployment.up(plan, { wait: false });
      await until("the doctor names the quota", 90, async () => {
        const said = await doctor("control-plane-quota");
        return said.findings[0]?.id === "quota-cores" && said.findings[0].scope === "control-plane";
      });
      lift();
      await sleep(20_000);
      ({ alarms } = await alarmsDuring(doctor, "bring-up", () => allRun(world(), life, plan), 2500));
    });
    expect(alarms).toEqual([]);
    const healthy = await doctor("healthy");
    expect(healthy.findings).toEqual([]);
    expect(healthy.steps.filter(({ state }) => state !== "done")).toEqual([]);
  }, 300_000);

  it("each error of Azure at a scale set is the first cause", async () => {
    const failed: string[] = [];
    await life.deployment.up(await planned(size(2)), { wait: false });
    await live(life, "errors of Azure", async () => {
      for (const [rule, fault] of poolErrors) {
        await names(rule, fault, () => nudge("AzureMachinePool", "win1")).catch((error: unknown) =>
          failed.push(String(error)),
        );
      }
    });
    expect(failed).toEqual([]);
    await nudge("AzureMachinePool", "win1");
    await allRun(world(), life, await planned(size(2)));
  }, 900_000);

  it("a failed instance is the first cause", async () => {
    const [instance] = world()
      .arm.store.ofType("Microsoft.Compute/virtualMachineScaleSets/virtualMachines")
      .filter(({ id }) => id.includes("/win1/"));
    await world().stopManagers("capi-core");
    world().arm.store.setProperties(instance!.id, { provisioningState: "Failed" });
    const pools = await world().kube.list({ apiVersion: apiVersions.azure, kind: "AzureMachinePoolMachine" });
    await until("the doctor names the instance", 60, async () => {
      await Promise.all(pools.map(({ metadata }) => nudge("AzureMachinePoolMachine", metadata.name)));
      await sleep(1000);
      return first(await doctor("instance-failed")) === "instance-failed";
    });
    world().arm.store.setProperties(instance!.id, { provisioningState: "Succeeded" });
    await world().startManagers("capi-core");
  }, 120_000);

  it("without CAPZ, the first cause is that nothing reconciles the next machine of the control plane", async () => {
    const replicas = (count: number): Promise<unknown> =>
      world().kube.applyAs(
        "test",
        {
          apiVersion: apiVersions.controlPlane,
          kind: "KubeadmControlPlane",
          metadata: { name: "sick-control-plane", namespace: life.namespace },
          spec: { replicas: count },
        },
        true,
      );
    await world().stopManagers("capz");
    await replicas(3);
    await until("the next machine", 60, async () => {
      const machines = await world().kube.list({ apiVersion: apiVersions.azure, kind: "AzureMachine" });
      return machines.length > 1;
    });
    await doctor("not-reconciled");
    const snapshot = readRecorded(join(recordings, "not-reconciled.json"));
    // Five minutes later.
    const later = new Date(Date.parse(snapshot.takenAt) + 300_000).toISOString();
    expect(first(diagnose({ ...snapshot, takenAt: later }))).toBe("not-reconciled");
  }, 150_000);

  it("the refused token of a restarted CAPZ is the first cause", async () => {
    await names(
      "federated-subject",
      {
        method: "POST",
        path: /login.*oauth2\/v2\.0\/token/,
        status: 401,
        code: "invalid_client",
        message:
          "AADSTS700213: No matching federated identity record found for presented assertion subject 'system:serviceaccount:capz-system:capz-manager'. Please check your federated identity credential Subject, Audience and Issuer against the presented assertion.",
      },
      async () => {
        await world()
          .startManagers("capz")
          .catch(() => undefined);
        await nudge("AzureCluster", "sick");
      },
    );
  }, 150_000);
});
