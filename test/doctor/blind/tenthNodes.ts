import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";
import { crashLoop, daemon } from "./pods";

/** The nodes and the add-ons of the tenth list. */

const provider =
  "azure:///subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets/win1/virtualMachines/0";

/** What Cluster API copies from a node that is not ready. */
function notReady(p: Patient, node: string, machine: string, message: string, ago: number): void {
  p.nodeCondition(node, "Ready", { reason: "KubeletNotReady", message, ago });
  p.condition(p.get("Machine", machine), "NodeReady", {
    reason: "NodeNotReady",
    message: `* Node.Ready: ${message}`,
    ago,
  }).condition(p.get("Machine", machine), "Ready", {
    reason: "NotReady",
    message: `* NodeReady: * Node.Ready: ${message}`,
    ago,
  });
}

/** A workload that has no Pods because the API server takes none. */
export function createsNone(p: Patient, object: Loose, text: string): void {
  p.event(object, "FailedCreate", `Error creating: ${text}`, { side: "workload", count: 18 });
}

export const replicaSet = (p: Patient, name: string): Loose =>
  p.add("workload", {
    ...{ kind: "ReplicaSet", apiVersion: "apps/v1", metadata: { name, namespace: "shop" } },
    spec: { replicas: 2 },
    status: { replicas: 0 },
  });

const cniMissing =
  "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";

export const tenthNodes: readonly BlindFault[] = [
  {
    name: "the image of cloud-node-manager is missing, so a node stays without an ID and with a taint",
    source: "Cluster API v1.14, setNodeHealthyAndReadyConditions; kubernetes, cloud provider taint",
    make: (p) => {
      const image = "mcr.microsoft.com/oss/v2/kubernetes/azure-cloud-node-manager:v1.35.9";
      const pod = daemon(p, "cloud-node-manager-windows");
      p.pod("workload", "kube-system", pod.metadata.name, {
        image,
        waiting: [
          "ImagePullBackOff",
          `Back-off pulling image "${image}": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
        ],
      });
      const node = p.node("win1");
      node.spec = {
        taints: [
          { key: "node.cloudprovider.kubernetes.io/uninitialized", value: "true", effect: "NoSchedule" },
        ],
      };
      const machine = p.get("Machine", "win1-0");
      delete machine.status.nodeRef;
      machine.status.phase = "Provisioned";
      const message = `Waiting for a Node with spec.providerID ${provider} to exist`;
      for (const type of ["NodeReady", "NodeHealthy"]) {
        p.condition(machine, type, {
          ...{ status: "Unknown", reason: "NodeInspectionFailed", message, ago: 35 },
        });
      }
      p.condition(machine, "NodeHealthy", {
        ...{ reason: "NodeProvisioning", severity: "Warning", ago: 35, former: true },
        message: "Waiting for a node with matching ProviderID to exist",
      });
      p.get("MachinePool", "win1").status.nodeRefs = [];
      const text =
        "0/3 nodes are available: 1 node(s) had untolerated taint {node.cloudprovider.kubernetes.io/uninitialized: true}, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
      const waiting = p.pod("workload", "shop", "web-6f7d9c-q8zpl");
      waiting.status = { phase: "Pending" };
      p.condition(waiting, "PodScheduled", { reason: "Unschedulable", message: text, ago: 30 }).event(
        waiting,
        "FailedScheduling",
        text,
        { side: "workload" },
      );
    },
    cause: /image.*cloud-node-manager|cloud-node-manager.*image/i,
    remedy: /cloudProviderAzure|mirror/i,
  },
  {
    name: "a firewall closes the registry of Calico, so there is no Typha",
    source:
      "projectcalico, tigera-operator: status of Pods that do not start; containerd, dial tcp: i/o timeout",
    make: (p) => {
      const image = "quay.io/calico/typha:v3.31.2";
      p.pod("workload", "calico-system", "calico-typha-5f7c9d6b8-l4wzn", {
        image,
        waiting: [
          "ImagePullBackOff",
          `Back-off pulling image "${image}": ErrImagePull: rpc error: code = DeadlineExceeded desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to do request: Head "https://quay.io/v2/calico/typha/manifests/v3.31.2": dial tcp 34.225.41.113:443: i/o timeout`,
        ],
      }).spec.nodeName = p.node("linux1").metadata.name;
      for (const name of ["calico-node-windows", "calico-node-0"]) {
        const pod = daemon(p, name);
        const { nodeName } = pod.spec;
        p.pod(
          "workload",
          "calico-system",
          pod.metadata.name,
          crashLoop("node", "Typha discovery enabled but discovery failed. error=no typha IPs found"),
        ).spec.nodeName = nodeName;
      }
      for (const name of ["calico", "calico-windows"]) {
        p.condition(p.get("TigeraStatus", name), "Degraded", {
          status: "True",
          reason: "PodFailure",
          message: "Pod calico-system/calico-node-0 has crash looping container: calico-node",
          ago: 30,
        }).condition(p.get("TigeraStatus", name), "Available", { reason: "PodFailure", ago: 30 });
      }
      notReady(p, "win1", "win1-0", cniMissing, 35);
      notReady(p, "linux1", "linux1-0", cniMissing, 35);
    },
    cause: /(typha|quay\.io).*(pull|reach|image|answer|time)|(pull|reach|image).*(typha|quay\.io)/i,
    remedy: /egress|nat|firewall|proxy|mirror|registry|outbound|curl/i,
  },
  {
    name: "Gatekeeper has no Pods and holds up all others",
    source: "kubernetes, apiserver: failed to call webhook; open-policy-agent/gatekeeper",
    make: (p) => {
      const text =
        'Internal error occurred: failed calling webhook "validation.gatekeeper.sh": failed to call webhook: Post "https://gatekeeper-webhook-service.gatekeeper-system.svc:443/v1/admit?timeout=3s": no endpoints available for service "gatekeeper-webhook-service"';
      for (const name of ["kube-proxy-windows", "cloud-node-manager-windows"]) {
        const set = p.get("DaemonSet", name);
        set.status = { currentNumberScheduled: 0, desiredNumberScheduled: 1, numberReady: 0 };
        createsNone(p, set, text);
        p.remove("workload", ({ kind, metadata }) => kind === "Pod" && metadata.name.startsWith(name));
      }
      const calico = p.add("workload", {
        kind: "DaemonSet",
        apiVersion: "apps/v1",
        metadata: { name: "calico-node-windows", namespace: "calico-system" },
        status: { currentNumberScheduled: 0, desiredNumberScheduled: 1, numberReady: 0 },
      });
      createsNone(p, calico, text);
      p.remove(
        "workload",
        ({ kind, metadata }) => kind === "Pod" && metadata.name.startsWith("calico-node-windows"),
      );
      createsNone(p, replicaSet(p, "web-6f7d9c"), text);
      notReady(p, "win1", "win1-0", cniMissing, 30);
    },
    cause: /webhook.*gatekeeper|gatekeeper.*webhook/i,
    remedy: /(delete|patch|edit) validatingwebhook|-n gatekeeper-system/i,
  },
];
