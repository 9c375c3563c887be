// One override of the example everything sets what CAPZ's webhook sets by default.
const own = "windowsPools.spot AzureMachinePool spec.template.diagnostics.boot.storageAccountType";
// Keys of encryption at rest are not carried over: a new cluster makes its own. Nor is the file with the issuers read.
const apiServer = "spec.kubeadmConfigSpec.clusterConfiguration.apiServer";
const files = (argument: string, name: string): string[] =>
  [
    `${apiServer}.extraArgs[${argument}]`,
    `${apiServer}.extraVolumes[${name}]`,
    `spec.kubeadmConfigSpec.files[/etc/kubernetes/${name}.yaml]`,
  ].map((path) => `controlPlane KubeadmControlPlane ${path}`);
const keys = files("encryption-provider-config", "encryption");
const keyVault = [
  `${apiServer}.extraVolumes[encryption-sockets]`,
  "spec.kubeadmConfigSpec.files[/etc/kubernetes/manifests/encryption-vault2026.yaml]",
  "spec.kubeadmConfigSpec.files[/usr/local/sbin/wait-for-key.sh]",
  "spec.kubeadmConfigSpec.preKubeadmCommands",
].map((path) => `controlPlane KubeadmControlPlane ${path}`);
// Nor are the audit log and its policy, for which the report names the key.
const audit = [
  ...["log-maxage", "log-maxbackup", "log-maxsize", "log-path", "policy-file"].map(
    (name) => `${apiServer}.extraArgs[audit-${name}]`,
  ),
  ...["audit-log", "audit-policy"].map((name) => `${apiServer}.extraVolumes[${name}]`),
  "spec.kubeadmConfigSpec.files[/etc/kubernetes/audit-policy.yaml]",
].map((path) => `controlPlane KubeadmControlPlane ${path}`);
const left = [
  ...audit,
  ...files("admission-control-config-file", "admission"),
  ...files("authentication-config", "authentication"),
  ...keys,
].sort();
/** The differences between an example and what an import makes of its objects, by example. */
export const notCarried: Readonly<Record<string, readonly string[]>> = {
  dev: keys,
  prod: [...audit, ...keys].sort(),
  everything: [...[...left, ...keyVault].sort(), own],
  // Its subnets have ids, so that CAPZ makes no NAT gateway; an import makes the stack's own.
  "hub-spoke": [
    ...["id", "natGateway.name"].map(
      (field) => ` AzureCluster spec.networkSpec.subnets[node-subnet].${field}`,
    ),
    ...keys,
  ],
  private: keys,
  spoke: keys,
  "team-a": keys,
  "locked-down": left,
};
