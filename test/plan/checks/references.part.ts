import { openAzureReferences } from "../../../commands/plan/checks/azureReferences";
import type { Plan } from "../../../commands/plan/model/plan";
import { openReferences } from "../../../commands/plan/checks/references";
import { planInline } from "../../support/inlinePlans";
import { minimal } from "../../support/stacks";

/** Plan of a cluster with every kind of reference between resources. */
let plan: Plan;

beforeAll(async () => {
  const access = { ...(minimal().access as object), allowedCidrs: ["203.0.113.0/24"] };
  plan = await planInline({
    ...minimal(),
    access,
    windowsPools: { win1: {} },
    linuxPools: { linux1: {} },
    sampleWorkload: {},
  });
});

/** References without a target after a text is replaced in all objects of some kinds. */
function openAfter(kinds: readonly string[], from: string | RegExp, to: string): string[] {
  let changed = 0;
  const edit = <T>(value: T): T => {
    const before = JSON.stringify(value);
    const after = before.replaceAll(typeof from === "string" ? from : new RegExp(from, "g"), to);
    changed += before === after ? 0 : 1;
    return JSON.parse(after) as T;
  };
  const chosen = (kind: string): boolean => kinds.includes(kind);
  const editedObjects = (list: Plan["objects"]["management"]) =>
    list.map(({ urn, object }) => ({ urn, object: chosen(object.kind) ? edit(object) : object }));
  const objects = {
    management: editedObjects(plan.objects.management),
    sample: editedObjects(plan.objects.sample),
    workload: plan.objects.workload.map((stream) => ({
      ...stream,
      objects: stream.objects.map((object) => (chosen(object.kind) ? edit(object) : object)),
    })),
  };
  const resources = plan.update.resources.map((resource) =>
    chosen(resource.type.split(":").at(-1)!) && resource.type.startsWith("azure-native:")
      ? { ...resource, inputs: edit(resource.inputs) }
      : resource,
  );
  expect(changed).toBeGreaterThan(0);
  return [
    ...openReferences(objects),
    ...openAzureReferences({
      resources,
      management: objects.management.map(({ object }) => object),
      principals: [],
    }),
  ];
}

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test/providers";

it("every reference of a plan has a target", () => {
  const management = plan.objects.management.map(({ object }) => object);
  expect(openReferences(plan.objects)).toEqual([]);
  expect(openAzureReferences({ resources: plan.update.resources, management, principals: [] })).toEqual([]);
});

it.each([
  [
    "a control plane's template",
    ["KubeadmControlPlane"],
    /test-cp-[0-9a-f]+"/,
    'test-cp-00000000"',
    [
      "KubeadmControlPlane test/test-control-plane spec.machineTemplate.spec.infrastructureRef: there is no AzureMachineTemplate test/test-cp-00000000",
    ],
  ],
  [
    "the control plane's azure.json",
    ["KubeadmControlPlane"],
    /-azure-json/,
    "-azure.json",
    [
      expect.stringMatching(
        /^KubeadmControlPlane test\/test-control-plane spec\.kubeadmConfigSpec\.files\.\d+\.contentFrom: there is no Secret test\/test-cp-[0-9a-f]{8}-azure\.json$/,
      ),
    ],
  ],
  [
    "a pool's azure.json",
    ["KubeadmConfig"],
    "win1-azure-json",
    "win2-azure-json",
    [
      expect.stringMatching(
        /^KubeadmConfig test\/win1-[0-9a-f]{8} spec\.files\.\d+\.contentFrom: there is no Secret test\/win2-azure-json$/,
      ),
    ],
  ],
  [
    "the namespace of the identity",
    ["AzureCluster"],
    '"name":"test-identity","namespace":"test"',
    '"name":"test-identity","namespace":"default"',
    ["AzureCluster test/test spec.identityRef: there is no AzureClusterIdentity default/test-identity"],
  ],
  [
    "a pool's cluster",
    ["MachinePool"],
    '"clusterName":"test"',
    '"clusterName":"text"',
    [
      "MachinePool test/linux1 spec.clusterName: there is no Cluster test/text",
      "MachinePool test/linux1 spec.template.spec.clusterName: there is no Cluster test/text",
      "MachinePool test/win1 spec.clusterName: there is no Cluster test/text",
      "MachinePool test/win1 spec.template.spec.clusterName: there is no Cluster test/text",
    ],
  ],
  [
    "a set's ConfigMap",
    ["ClusterResourceSet"],
    '{"kind":"ConfigMap","name":"test-kube-proxy-windows"}',
    '{"kind":"ConfigMap","name":"test-kube-proxy"}',
    [
      "ClusterResourceSet test/test-kube-proxy-windows spec.resources: there is no ConfigMap test/test-kube-proxy",
    ],
  ],
  [
    "the labels of the Cluster",
    ["Cluster"],
    '"cni":"test-calico"',
    '"cni":"calico"',
    ["ClusterResourceSet test/test-calico spec.clusterSelector: no Cluster has these labels"],
  ],
  [
    "a service account",
    ["DaemonSet"],
    '"serviceAccountName":"cloud-node-manager"',
    '"serviceAccountName":"cloud-node-managers"',
    [
      "DaemonSet kube-system/cloud-node-manager serviceAccountName: there is no ServiceAccount kube-system/cloud-node-managers",
      "DaemonSet kube-system/cloud-node-manager-windows serviceAccountName: there is no ServiceAccount kube-system/cloud-node-managers",
    ],
  ],
  [
    "the subnet's name",
    ["AzureCluster"],
    '"name":"node-subnet"',
    '"name":"nodes-subnet"',
    ["AzureCluster test subnet nodes-subnet: the VNET test-vnet has no such subnet"],
  ],
  [
    "the VNET",
    ["AzureCluster"],
    "test-vnet",
    "test-vnet2",
    ["AzureCluster test spec.networkSpec.vnet: there is no VNET test-vnet2 in test"],
  ],
  [
    "the NAT gateway",
    ["AzureCluster"],
    "test-node-natgw",
    "test-natgw",
    ["AzureCluster test subnet node-subnet natGateway: the VNET's subnet does not have test-natgw"],
  ],
  [
    "what the VNET attaches",
    ["VirtualNetwork"],
    "networkSecurityGroups/test-node-nsg",
    "networkSecurityGroups/test-nodes-nsg",
    [
      `network-vnet subnets.1.networkSecurityGroup.id: there is no ${subscription}/Microsoft.Network/networkSecurityGroups/test-nodes-nsg`,
      "AzureCluster test subnet node-subnet securityGroup: the VNET's subnet does not have test-node-nsg",
    ],
  ],
  [
    "the identity of the control plane's machines",
    ["AzureMachineTemplate"],
    "userAssignedIdentities/test-control-plane",
    "userAssignedIdentities/test-cp",
    [
      expect.stringMatching(
        /^AzureMachineTemplate test-cp-[0-9a-f]{8} spec\.template\.spec\.userAssignedIdentities\.0\.providerID: there is no \/subscriptions\/.+\/userAssignedIdentities\/test-cp$/,
      ),
    ],
  ],
  [
    "the subject of a federated credential",
    ["FederatedIdentityCredential"],
    "capz-system:capz-manager",
    "capz-system:capz-manger",
    [
      "federated credential: CAPZ has no service account system:serviceaccount:capz-system:capz-manger",
      "federated credentials: system:serviceaccount:capz-system:capz-manager cannot log in, none has it as its subject",
    ],
  ],
  [
    "the namespace of CAPZ",
    ["InfrastructureProvider"],
    "capz-system",
    "capi-system",
    [
      "federated credential: CAPZ has no service account system:serviceaccount:capz-system:azureserviceoperator-default",
      "federated credential: CAPZ has no service account system:serviceaccount:capz-system:capz-manager",
      "federated credentials: system:serviceaccount:capi-system:capz-manager cannot log in, none has it as its subject",
      "federated credentials: system:serviceaccount:capi-system:azureserviceoperator-default cannot log in, none has it as its subject",
    ],
  ],
  [
    "the client id",
    ["AzureClusterIdentity"],
    /"clientID":"[^"]+"/,
    '"clientID":"0"',
    ["AzureClusterIdentity test-identity clientID: no identity that CAPZ may take has it"],
  ],
  [
    "the machines of a health check",
    ["MachineHealthCheck"],
    "cluster.x-k8s.io/control-plane",
    "cluster.x-k8s.io/controlplane",
    [
      "MachineHealthCheck test/test-control-plane spec.selector: no controller gives a Machine the label cluster.x-k8s.io/controlplane",
    ],
  ],
  [
    "the principal of a role",
    ["RoleAssignment"],
    /"principalId":"[^"]+"/,
    '"principalId":"0"',
    [
      "cluster-api-identity-control-plane-machines-role principalId: there is no principal 0",
      "cluster-api-identity-control-plane-network-role principalId: there is no principal 0",
      "cluster-api-identity-controllers-reader-role principalId: there is no principal 0",
      "cluster-api-identity-controllers-role principalId: there is no principal 0",
      "management-aks-network-role principalId: there is no principal 0",
    ],
  ],
  [
    "the sample's Service",
    ["Service"],
    '"selector":{"app":"iis"}',
    '"selector":{"app":"iis-1809"}',
    ["Service default/iis spec.selector: no Pod has these labels"],
  ],
  [
    "the sample's namespace",
    ["Service"],
    '"namespace":"default"',
    '"namespace":"web"',
    [
      "Service web/iis metadata.namespace: there is no Namespace /web",
      "Service web/iis spec.selector: no Pod has these labels",
    ],
  ],
  [
    "a resource group's name",
    ["NatGateway"],
    '"resourceGroupName":"test"',
    '"resourceGroupName":"tests"',
    ["network-nat resourceGroupName: there is no resource group tests"],
  ],
] as const)("finds a wrong name for %s", (_, kinds, from, to, expected) => {
  expect(openAfter(kinds, from, to)).toEqual(expected);
});

it("accepts a principal that only the stack file names", () => {
  const management = plan.objects.management.map(({ object }) => object);
  const resources = plan.update.resources.map((resource) =>
    resource.name === "cluster-api-identity-controllers-role"
      ? { ...resource, inputs: { ...resource.inputs, principalId: "given" } }
      : resource,
  );
  expect(openAzureReferences({ resources, management, principals: ["given"] })).toEqual([]);
});
