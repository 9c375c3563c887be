import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Imported } from "../../commands/import/importSource";
import { toCheck } from "../../commands/import/trusted";
import { importText, templateVariables } from "./support";

/** What templates and files of others had, and an import once lost, said wrongly, or turned into a stack that is refused. */

const template = readFileSync(join(__dirname, "sources/template.yaml"), "utf8");

/** The template with each text replaced, which is in it exactly once. */
const changed = (...changes: readonly (readonly [from: string, to: string])[]): string =>
  changes.reduce((text, [from, to]) => {
    expect(text.split(from)).toHaveLength(2);
    return text.replace(from, () => to);
  }, template);

const network = `vnet: { name: own-vnet }
    apiServerLB: { frontendIPs: [{ name: own, publicIP: { name: own-ip, dnsName: own.example.org } }], idleTimeoutInMinutes: 30 }
    subnets:
      - { name: masters, role: control-plane, cidrBlocks: [10.1.1.0/24], securityGroup: { name: nsg, securityRules: [{ name: allow_port_50000, source: "*", action: Allow }] } }
      - { name: nodes, role: node, cidrBlocks: [10.1.2.0/24] }`;
const ofGroup = "/subscriptions/s/resourceGroups/g/providers/Microsoft";

let imported: Imported;

beforeAll(async () => {
  const text = changed(
    [
      "    clusterConfiguration:\n      apiServer:\n        extraArgs:\n",
      "    clusterConfiguration:\n      controlPlaneEndpoint: old.example.org:6443\n      apiServer:\n        extraArgs:\n          advertise-address: 10.0.0.4\n          oidc-issuer-url: https://login.example.org\n          oidc-client-id: kubernetes\n",
    ],
    ["vnet: { name: own-vnet, cidrBlocks: [10.20.0.0/16] }", network],
    ["  subscriptionID:", "  azureEnvironment: AzureUSGovernmentCloud\n  subscriptionID:"],
    [
      'metadata: { name: "${CLUSTER_NAME}-cp", namespace: default }\nspec:\n  replicas',
      'metadata: { name: "${CLUSTER_NAME}-cp", namespace: default, annotations: { controlplane.cluster.x-k8s.io/skip-kube-proxy: "true" } }\nspec:\n  replicas',
    ],
    ["osDisk: { diskSizeGB: 200", "osDisk: { diffDiskSettings: { option: Local }, diskSizeGB: 200"],
    [
      "  strategy: { type: RollingUpdate",
      `  orchestrationMode: Flexible\n  identity: SystemAssigned\n  systemAssignedIdentityRole: { scope: ${ofGroup}, definitionID: own }\n  strategy: { type: RollingUpdate`,
    ],
    [
      "    vmSize: ${AZURE_NODE_MACHINE_TYPE}",
      `    vmSize: \${AZURE_NODE_MACHINE_TYPE}\n    image: { computeGallery: { gallery: own, name: windows-annual, version: 1.0.0, subscriptionID: 11111111-2222-4333-8444-555555555555, resourceGroup: images } }`,
    ],
    [
      "      vmSize: Standard_D4s_v5",
      `      vmSize: Standard_D4s_v5\n      identity: UserAssigned\n      userAssignedIdentities: [{ providerID: ${ofGroup}.ManagedIdentity/userAssignedIdentities/pull }]`,
    ],
    [
      'kubeletExtraArgs: { cloud-provider: external, node-labels: "example.org/tier=system" }',
      'kubeletExtraArgs: { cloud-provider: external, node-labels: "example.org/tier=system", azure-container-registry-config: /x, image-credential-provider-config: /y }\n      ignition: { containerLinuxConfig: { strict: true } }',
    ],
    [
      "    - path: C:/token.txt",
      "    - { path: C:/use-oot-credential-provider.ps1, content: x }\n    - path: C:/token.txt",
    ],
    [
      "[powershell C:/own.ps1,",
      '["powershell C:\\\\Use-OOT-credential-provider.ps1", "type C:\\\\token.txt", powershell C:/own.ps1,',
    ],
  );
  imported = await importText(text, { ...templateVariables, WINDOWS_SERVER_VERSION: "" });
});

const reasonsOf = (what: RegExp): Record<string, string> =>
  Object.fromEntries(
    imported.leftOut.filter(({ from }) => what.test(from)).map(({ from, why }) => [from, why]),
  );

test("what a user wrote is not said to come from controllers", () => {
  expect(imported.leftOut.filter(({ byController }) => byController)).toEqual([]);
  const name = "an override may not change this: the host of the API server follows from the names in it";
  const ofSubnets =
    "the stack names its VNET and subnets itself, and writes the rules of their security groups: these let access.allowedCidrs in, and nobody else from outside";
  expect(reasonsOf(/^AzureCluster |orchestrationMode/)).toEqual({
    "AzureCluster spec.azureEnvironment":
      "an override may not change this: the addresses and identities of the stack are those of the public cloud",
    "AzureCluster spec.networkSpec.apiServerLB.frontendIPs[own]": name,
    "AzureCluster spec.networkSpec.apiServerLB.idleTimeoutInMinutes": name,
    "AzureCluster spec.networkSpec.subnets[masters]": ofSubnets,
    "AzureCluster spec.networkSpec.subnets[nodes]": ofSubnets,
    "AzureCluster spec.networkSpec.vnet.name": ofSubnets,
    "AzureMachinePool win spec.orchestrationMode":
      "an override may not change this: machines of another mode have other names than those that the plan has",
  });
  expect(imported.config).toHaveProperty("controlPlane.overrides.KubeadmControlPlane.metadata.annotations", {
    "controlplane.cluster.x-k8s.io/skip-kube-proxy": "true",
  });
});

test("addresses of the old cluster do not become overrides of the new one", () => {
  const spec = "KubeadmControlPlane spec.kubeadmConfigSpec.clusterConfiguration";
  const why = "Cluster API and kubeadm write the addresses of this cluster, and with others no node joins";
  expect(reasonsOf(/controlPlaneEndpoint|advertise-address/)).toEqual({
    [`${spec}.controlPlaneEndpoint`]: `an override may not change this: ${why}`,
    [`${spec}.apiServer.extraArgs[advertise-address]`]: why,
  });
  expect(JSON.stringify(imported.config.controlPlane)).not.toMatch(/old\.example|10\.0\.0\.4/);
  // The other argument of the list stays.
  expect(JSON.stringify(imported.config.controlPlane)).toContain("event-ttl");
});

test("a login by an issuer is no override, and its key is named", () => {
  const args = "KubeadmControlPlane spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs";
  const left = imported.leftOut.filter(({ from }) => from.includes("oidc-"));
  expect(left.map(({ from, instead }) => [from, instead])).toEqual(
    ["client-id", "issuer-url"].map((name) => [`${args}[oidc-${name}]`, "controlPlane.authentication"]),
  );
  expect(JSON.stringify(imported.config)).not.toContain("oidc-");
});

test("a VNET without a range has that of CAPZ, so that the ranges of its subnets stay", () => {
  expect(imported.config.network).toEqual({
    vnetCidr: "10.0.0.0/8",
    controlPlaneSubnetCidr: "10.1.1.0/24",
    nodeSubnetCidr: "10.1.2.0/24",
    podCidr: "192.168.0.0/16",
    serviceCidr: "172.20.0.0/16",
  });
});

test("a command goes with the file that it names, however it writes the path", () => {
  const ofImage = "it changes Kubernetes or tools of the image while a node starts";
  const secret = "it may be a secret, and bootstrap data stays readable on the node";
  expect(reasonsOf(/^KubeadmConfig win .*(credential|token)/)).toEqual({
    "KubeadmConfig win files[C:/use-oot-credential-provider.ps1]": ofImage,
    "KubeadmConfig win files[C:/token.txt]": secret,
    "KubeadmConfig win preKubeadmCommands: powershell C:\\Use-OOT-credential-provider.ps1": ofImage,
    "KubeadmConfig win preKubeadmCommands: type C:\\token.txt": secret,
  });
  expect(imported.config).toHaveProperty("windowsPools.win.preKubeadmCommands", ["powershell C:/own.ps1"]);
});

test("settings with which Azure or Cluster API would refuse the stack are left out", () => {
  expect(reasonsOf(/dentity$|IdentityRole|ignition|diffDisk/)).toEqual({
    "AzureMachineTemplate spec.template.spec.osDisk.diffDiskSettings.option":
      "an override may not change this: pools have a key for it, and the control plane has none",
    "KubeadmConfigTemplate linux spec.template.spec.ignition.containerLinuxConfig.strict":
      "an override may not change this: Cluster API refuses it without format: ignition",
    "AzureMachinePool win spec.identity": "machines of a stack have no identity of their own",
    "AzureMachinePool win spec.systemAssignedIdentityRole.definitionID":
      "machines of a stack have no identity of their own",
    "AzureMachinePool win spec.systemAssignedIdentityRole.scope":
      "machines of a stack have no identity of their own",
  });
});

test("an identity without the prefix of its ID is the same, and arguments of kubelet have their own reasons", () => {
  expect(reasonsOf(/userAssignedIdentities|kubeletExtraArgs/)).toEqual({
    "KubeadmConfigTemplate linux spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs[azure-container-registry-config]":
      "an override may not change this: a merge patch replaces the whole list, and with it what every node needs",
    "KubeadmConfigTemplate linux spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs[image-credential-provider-config]":
      "not carried as it is: other keys decide about it",
    "KubeadmConfig win spec.joinConfiguration.nodeRegistration.kubeletExtraArgs[max-pods]":
      "an override may not change this: a merge patch replaces the whole list, and with it what every node needs",
    "KubeadmConfig win spec.joinConfiguration.nodeRegistration.kubeletExtraArgs[register-with-taints]":
      "not carried as it is: other keys decide about it",
  });
});

test("a release of Windows that nothing names is said to be a guess", () => {
  expect(reasonsOf(/ image$/)).toEqual({
    "AzureMachinePool win image":
      "the source does not say which release of Windows Server it has: 2022 is written, and not checked",
  });
});

test("a mapping that the stack file has empty is not among what was copied", () => {
  expect(toCheck({ windowsPools: {}, linuxPools: { a: { kubelet: {} } } })).toEqual([
    "linuxPools.a.kubelet: {}",
  ]);
});
