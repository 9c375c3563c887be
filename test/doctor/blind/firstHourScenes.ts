import type { Loose, Patient } from "../patient";

/** Scenes of the first hour for the blind faults: refused logins, clusters without a control plane or a network. */

const line = "-".repeat(80);
export const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
export const answer = (url: string, status: string, code: string, message: string): string =>
  `${url}\n${line}\nRESPONSE ${status}\nERROR CODE: ${code}\n${line}\n${JSON.stringify({ error: { code, message } }, undefined, 2)}\n${line}\n`;

/** A refusal by Microsoft Entra when CAPZ asks for the zones, which it does first. */
export const login = (p: Patient, status: string, error: string, description: string) =>
  p.refused(
    p.get("AzureCluster"),
    "NetworkInfrastructureReady",
    `failed to reconcile cluster services: failed to get availability zones: failed to refresh resource sku cache: could not iterate resource skus: WorkloadIdentityCredential authentication failed. \nPOST https://login.microsoftonline.com/11111111-2222-4333-8444-666666666666/oauth2/v2.0/token\n${line}\nRESPONSE ${status}\n${line}\n${JSON.stringify({ error, error_description: `${description} Trace ID: 4b3babc2-dcd3-4e6f-8fe0-7d1ec15d3600` }, undefined, 2)}\n${line}\nTo troubleshoot, visit https://aka.ms/azsdk/go/identity/troubleshoot#workload`,
    { ago: 20 },
  );

/** Removes the machines and nodes of a pool. */
export const withoutMachines = (p: Patient, pool: string): Patient =>
  p
    .remove("management", (o) => o.kind.endsWith("Machine") && o.metadata.name.startsWith(`${pool}-`))
    .remove("workload", (o) => o.kind === "Node" && o.metadata.name.startsWith(pool))
    .remove("workload", (o) => "spec" in o && String(o.spec.nodeName).startsWith(pool));

/** A machine for which Cluster API finds no node. */
export function awaitsNode(p: Patient, machine: Loose): void {
  delete machine.status.nodeRef;
  for (const type of ["NodeReady", "NodeHealthy"]) {
    p.condition(machine, type, {
      ...{ status: "Unknown", reason: "InspectionFailed", ago: 50 },
      message: `Waiting for a Node with spec.providerID ${String(machine.spec.providerID)} to exist`,
    });
  }
}

/** A cluster whose first machine has not started the control plane. */
export function unborn(p: Patient): Loose {
  for (const pool of ["linux1", "win1"]) {
    withoutMachines(p, pool);
    const config = p.get("KubeadmConfig", pool);
    for (const type of ["Ready", "DataSecretAvailable"]) {
      p.condition(config, type, {
        reason: "NotAvailable",
        message: "Waiting for Cluster control plane to be initialized",
        ago: 55,
      });
    }
    p.condition(p.get("AzureMachinePool", pool), "ScaleSetRunning", {
      ...{ reason: "WaitingForBootstrapData", severity: "Info", ago: 55 },
    });
  }
  const [cluster, plane] = [p.get("Cluster"), p.get("KubeadmControlPlane")];
  const machine = p.get("Machine", "sick-control-plane");
  const message = "Control plane not yet initialized";
  cluster.status.initialization = { infrastructureProvisioned: true };
  plane.status.initialization = {};
  delete machine.status.nodeRef;
  p.condition(cluster, "ControlPlaneInitialized", { reason: "NotInitialized", message, ago: 55 })
    .condition(cluster, "ControlPlaneAvailable", { reason: "NotAvailable", message, ago: 55 })
    .condition(cluster, "RemoteConnectionProbe", {
      reason: "ProbeFailed",
      message: "Remote connection probe failed",
      ago: 40,
    })
    .condition(plane, "Initialized", { reason: "NotInitialized", ago: 55 })
    .condition(plane, "Available", { reason: "NotAvailable", message, ago: 55 });
  for (const type of ["NodeReady", "NodeHealthy"]) {
    p.condition(machine, type, {
      ...{ status: "Unknown", reason: "InspectionFailed", ago: 50 },
      message: "Waiting for Cluster control plane to be initialized",
    });
  }
  p.problem("workload", {
    asked: "cluster",
    what: "timeout",
    message: 'Get "https://sick-2e748e36.westeurope.cloudapp.azure.com:6443/api": dial tcp: i/o timeout',
  });
  return machine;
}

/** A management cluster on which the provider of Azure is not installed yet, so there is no object of the cluster. */
export function provider(
  p: Patient,
  kind: string,
  name: string,
  namespace: string,
  reason: string,
  message: string,
) {
  p.remove("management", ({ apiVersion, kind }) => /x-k8s\.io|azure\.com/.test(`${apiVersion} ${kind}`))
    .remove("management", (o) => /^cap(i|z)-(?!operator)/.test(o.metadata.namespace ?? ""))
    .problem("workload", {
      asked: "cluster",
      what: "noKubeconfig",
      message: 'secrets "sick-kubeconfig" not found',
    });
  const object = p.add("management", {
    ...{ apiVersion: "operator.cluster.x-k8s.io/v1alpha2", kind, metadata: { name, namespace } },
  });
  p.condition(object, "PreflightCheckPassed", { status: "True", reason: "PreflightChecksPassed", ago: 30 })
    .condition(object, "ProviderInstalled", { reason, message, ago: 25 })
    .condition(object, "Ready", { reason, message, ago: 25 });
}

export const withoutNetwork =
  "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";

/** Nodes without a network: not ready, and without the Pods of Calico. */
export function unconnected(p: Patient): void {
  p.remove("workload", (o) => o.kind === "TigeraStatus" || o.metadata.namespace === "calico-system");
  for (const node of ["sick-", "linux1", "win1"]) {
    p.nodeCondition(node, "Ready", { reason: "KubeletNotReady", message: withoutNetwork, ago: 40 });
  }
}

export function notPulled(p: Patient, pod: Loose, image: string, reason: string): void {
  const { namespace, name } = pod.metadata;
  const waiting = ["ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${reason}`] as const;
  p.pod("workload", namespace!, name, { waiting, image });
  p.event(pod, "Failed", `Failed to pull image "${image}": ${reason}`, { side: "workload", count: 9 });
}
