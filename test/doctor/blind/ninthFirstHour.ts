import type { BlindFault } from "./blindFault";
import {
  subscription,
  answer,
  awaitsNode,
  unborn,
  provider,
  unconnected,
  notPulled,
} from "./firstHourScenes";

/** Faults of the first hour: from the providers of the management cluster to the first node that is ready. */

export const ninthFirstHour: readonly BlindFault[] = [
  {
    name: "CAPZ may not give the control plane its identity",
    source: "learn.microsoft.com, LinkedAuthorizationFailed",
    make: (p) => {
      unborn(p);
      const machine = p.get("AzureMachine");
      const scope = `${subscription}/resourceGroups/platform/providers/Microsoft.ManagedIdentity/userAssignedIdentities/sick-control-plane`;
      const told = answer(
        ...([
          "PUT https://management.azure.com/x",
          "403: 403 Forbidden",
          "LinkedAuthorizationFailed",
        ] as const),
        `The client '0c1b3a51-0000-4000-8000-000000000001' with object id '0c1b3a51-0000-4000-8000-000000000001' has permission to perform action 'Microsoft.Compute/virtualMachines/write' on scope '${subscription}/resourceGroups/sick/providers/Microsoft.Compute/virtualMachines/sick-control-plane-942cq'; however, it does not have permission to perform action(s) 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action' on the linked scope(s) '${scope}' (respectively) or the linked scope(s) are invalid.`,
      );
      p.refused(
        machine,
        "VMRunning",
        `virtualmachine failed to create or update. err: failed to create or update resource sick/${machine.metadata.name} (service: virtualmachine): ${told}`,
        { ago: 20 },
      );
    },
    cause: /assign|role|may not|permission/i,
    remedy: /Managed Identity (Operator|Contributor)/i,
  },

  {
    name: "the first machine runs, and its API server never answers",
    source: "cluster-api, machine_controller_status.go and cluster_controller_status.go; only a state",
    make: (p) => unborn(p),
    cause: /(API server|kubeadm|cloud-init|boot)/i,
    remedy: /boot-?diagnostics|boot-log|cloud-init|npm run access/i,
  },
  {
    name: "a Windows machine runs and never becomes a node",
    source: "cluster-api, setNodeHealthyAndReadyConditions; only a state",
    make: (p) => {
      const [machine, instance] = [p.get("Machine", "win1"), p.get("AzureMachinePoolMachine", "win1")];
      p.remove("workload", (o) => o.kind === "Node" && o.metadata.name.startsWith("win1"));
      p.remove("workload", (o) => "spec" in o && o.spec.nodeName === "win1000000");
      delete instance.status.nodeRef;
      instance.status.ready = false;
      Object.assign(machine.status, { phase: "Provisioned" });
      p.get("MachinePool", "win1").status.nodeRefs = [];
      awaitsNode(p, machine);
      p.condition(instance, "NodeHealthy", { reason: "NodeProvisioning", severity: "Info", ago: 55 });
    },
    cause: /(node|join)/i,
    remedy: /cloudbase|boot-?diagnostics|npm run access|kubeadm/i,
  },
  {
    name: "nodes stay uninitialized without a providerID",
    source: "kubernetes, node.cloudprovider.kubernetes.io/uninitialized; only a state",
    make: (p) => {
      for (const node of p.all("Node", "workload")) {
        delete node.spec.providerID;
        const taint = { key: "node.cloudprovider.kubernetes.io/uninitialized", value: "true" };
        node.spec.taints = [...((node.spec.taints ?? []) as unknown[]), { ...taint, effect: "NoSchedule" }];
      }
      for (const machine of p.all("Machine")) {
        awaitsNode(p, machine);
      }
    },
    cause: /cloud-controller-manager|cloud provider|cloud-node-manager/i,
    remedy: /cloud-controller-manager|cloud-node-manager/,
  },
  {
    name: "a firewall keeps the nodes from quay.io, and Calico's operator does not start",
    source: "containerd, remotes/docker; kubelet, ErrImagePull",
    make: (p) => {
      unconnected(p);
      p.get("Pod", "tigera-operator").spec.nodeName = p.node("sick-").metadata.name;
      notPulled(
        ...([p, p.get("Pod", "tigera-operator", "workload"), "quay.io/tigera/operator:v1.40.9"] as const),
        'failed to pull and unpack image "quay.io/tigera/operator:v1.40.9": failed to resolve reference "quay.io/tigera/operator:v1.40.9": failed to do request: Head "https://quay.io/v2/tigera/operator/manifests/v1.40.9": dial tcp 34.225.41.113:443: i/o timeout',
      );
    },
    cause: /quay\.io/,
    remedy: /curl|firewall|mirror|proxy|quay\.io/i,
  },

  {
    name: "the webhook of cert-manager has no trusted certificate yet",
    source: "cert-manager.io, troubleshooting of the webhook",
    make: (p) => {
      provider(
        ...([p, "CoreProvider", "cluster-api", "capi-system", "InstallFailed"] as const),
        'failed to create provider object cert-manager.io/v1, Kind=Certificate, capi-system/capi-serving-cert: Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
      );
    },
    cause: /cert-manager/,
    remedy: /cert-manager/,
  },
  {
    name: "GitHub refuses further requests of the operator",
    source: "cluster-api, repository_github.go; cluster-api-operator, phase_fetch.go",
    make: (p) => {
      provider(
        ...([p, "InfrastructureProvider", "azure", "capz-system", "ComponentsFetchError"] as const),
        'failed to read "infrastructure-components.yaml" from provider\'s repository "infrastructure-azure": failed to get GitHub release v1.27.0: rate limit for github api has been reached. Please wait one hour or get a personal API token and assign it to the GITHUB_TOKEN environment variable',
      );
    },
    cause: /GitHub/,
    remedy: /componentsRepository|GITHUB_TOKEN|hour/i,
  },

  {
    name: "the stack has no CNI, and nobody installed one",
    source: "kubelet, NetworkPluginNotReady; the stack with addons.cni: none",
    make: (p) => {
      unconnected(p);
      p.remove("workload", (o) => o.metadata.namespace === "tigera-operator");
      p.remove("management", (o) => o.kind === "ClusterResourceSet" && o.metadata.name === "sick-calico");
      const binding = p.get("ClusterResourceSetBinding").spec as { bindings: Record<string, unknown>[] };
      binding.bindings = binding.bindings.filter((b) => b.clusterResourceSetName !== "sick-calico");
    },
    cause: /CNI|network plug-?in|no network/i,
    remedy: /cni|calico|network/i,
  },
];
