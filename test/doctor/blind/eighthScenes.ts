import type { Loose, Patient } from "../patient";

/** What stands around the faults of the eighth list: a first `up`, a pool without machines, refusals of Azure. */

export const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
export const arm = `https://management.azure.com${subscription}/resourceGroups/sick/providers`;
export const line = "-".repeat(80);

/** A refusal of Azure as its SDK for Go writes it and CAPZ passes it on. */
export const refusal = (
  [service, resource]: readonly [string, string],
  [call, status, code]: readonly [string, string, string],
  message: string,
): string =>
  `failed to create or update resource sick/${resource} (service: ${service}): ${call}\n${line}\nRESPONSE ${status}\n` +
  `ERROR CODE: ${code}\n${line}\n{\n  "error": {\n    "code": "${code}",\n    "message": "${message}",\n    "details": []\n  }\n}\n${line}\n`;

export const refuseCluster = (p: Patient, condition: string, message: string): void => {
  const cluster = p.get("AzureCluster");
  p.refused(cluster, condition, message)
    .refused(cluster, "NetworkInfrastructureReady", message)
    .event(cluster, "ClusterReconcilerNormalFailed", `failed to reconcile cluster services: ${message}`);
};

export const noWorkload = (p: Patient): Patient =>
  p.problem("workload", {
    what: "noKubeconfig",
    asked: "cluster",
    message: 'secrets "sick-kubeconfig" not found',
  });

/** The first `up`: nothing but the objects that Pulumi applied. */
export function beforeMachines(p: Patient): Patient {
  const machines = ["Machine", "AzureMachine", "AzureMachinePoolMachine", "ClusterResourceSetBinding"];
  p.remove("management", ({ kind }) => machines.includes(kind));
  const waits = { reason: "WaitingForClusterInfrastructure", message: "", severity: "Info", ago: 30 };
  for (const pool of p.all("AzureMachinePool")) {
    pool.status = { ready: false, replicas: 0 };
    p.condition(pool, "ScaleSetRunning", waits).condition(pool, "Ready", waits);
  }
  for (const config of p.all("KubeadmConfig")) {
    config.status = {};
    p.condition(config, "DataSecretAvailable", {
      reason: "NotAvailable",
      message: "Waiting for Cluster status.infrastructureReady to be true",
      ago: 30,
    });
  }
  for (const pool of p.all("MachinePool")) {
    pool.status = { phase: "Pending", replicas: 0 };
  }
  const controlPlane = p.get("KubeadmControlPlane");
  controlPlane.status = {};
  p.condition(controlPlane, "Initialized", { reason: "NotInitialized", ago: 30 }).condition(
    controlPlane,
    "Available",
    { reason: "NotAvailable", message: "Control plane not yet initialized", ago: 30 },
  );
  const cluster = p.get("Cluster");
  cluster.status = { phase: "Provisioning" };
  p.condition(cluster, "InfrastructureReady", {
    reason: "NotReady",
    message: "AzureCluster status.initialization.provisioned is false",
    ago: 30,
  });
  return noWorkload(p);
}

/** The machines of the Windows pool are not there. */
export function withoutWindows(p: Patient): Patient {
  p.remove(
    "management",
    ({ kind, metadata }) =>
      ["Machine", "AzureMachinePoolMachine"].includes(kind) && metadata.name.startsWith("win1"),
  ).remove(
    "workload",
    ({ kind, metadata, spec }) =>
      (kind === "Node" && metadata.name.startsWith("win1")) ||
      (kind === "Pod" && String(spec.nodeName).startsWith("win1")),
  );
  const azure = p.get("AzureMachinePool", "win1");
  azure.status = { ready: false, replicas: 0, provisioningState: "Creating" };
  const pool = p.get("MachinePool", "win1");
  pool.status = { phase: "Provisioning", replicas: 0 };
  p.condition(pool, "InfrastructureReady", {
    reason: "NotReady",
    message: "AzureMachinePool status.ready is false",
    ago: 30,
  });
  return p;
}

export const windowsNode = "win1000000";

/** A Pod on the Windows node that does not get beyond ContainerCreating, or the given state. */
export function application(
  p: Patient,
  name: string,
  waiting: readonly [string, string] = ["ContainerCreating", ""],
  image?: string,
): Loose {
  const pod = p.pod("workload", "shop", name, { waiting, ...(image === undefined ? {} : { image }) }, 12);
  Object.assign(pod.spec, { nodeName: windowsNode, nodeSelector: { "kubernetes.io/os": "windows" } });
  return pod;
}

export const sandboxFails = (p: Patient, pods: readonly Loose[], text: string): void => {
  for (const pod of pods) {
    p.event(
      pod,
      "FailedCreatePodSandBox",
      `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "b6385006e8b3eedeaa1fd60e3e69afc9fb758a27666c93708a9211b3c988ab34": ${text}`,
      { side: "workload", count: 37 },
    );
  }
};
