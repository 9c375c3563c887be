import { at, list } from "../../tools/untyped";
import type { PolicyResource } from "../../policy/resource";

/** Changes of what a stack registers, each with what the policy pack must find. */

export interface Mutable extends PolicyResource {
  readonly type: string;
  readonly props: Record<string, unknown>;
  opts: { protect: boolean };
}

export type Change = (resource: Mutable) => void;

type Holder = Record<string, unknown>;

/** The mapping or list that has the last key of a dotted path. */
function holderOf({ props }: Mutable, path: string): readonly [holder: Holder, key: string] {
  const keys = path.split(".");
  return [at(props, ...keys.slice(0, -1)) as Holder, keys.at(-1) ?? ""];
}

export const set =
  (path: string, value: unknown): Change =>
  (resource) => {
    const [holder, key] = holderOf(resource, path);
    holder[key] = value;
  };

const remove =
  (path: string): Change =>
  (resource) => {
    const [holder, key] = holderOf(resource, path);
    Reflect.deleteProperty(holder, key);
  };

const push =
  (path: string, ...values: readonly unknown[]): Change =>
  ({ props }) => {
    (at(props, ...path.split(".")) as unknown[]).push(...values);
  };

const args = "spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs";

/** Without an argument of the API server. */
const withoutArgument =
  (name: string): Change =>
  (resource) => {
    const left = list(at(resource.props, ...args.split("."))).filter((one) => one.name !== name);
    set(args, left)(resource);
  };

/** Another text under the key that the Secret has. */
const secretText =
  (text: string, encoded = false): Change =>
  (resource) => {
    const [key = ""] = Object.keys(resource.props.stringData as object);
    resource.props.stringData = encoded ? undefined : { [key]: text };
    resource.props.data = encoded ? { [key]: Buffer.from(text).toString("base64") } : undefined;
  };

export const password = push("spec.preKubeadmCommands", "net use Z: \\\\server\\share Pl4ntedPassw0rd");

const open = (path: string) =>
  `public-cluster access.allowedCidrs: 0.0.0.0/0 exposes the API server and SSH on the control plane to the Internet (${path})`;
const clear = "not set, so Secrets are in clear text in etcd, on its disks and in its backups";

/** The resource, what it has instead, and the findings. */
export const cases: readonly (readonly [
  what: string,
  name: string,
  change: Change,
  found: readonly string[],
])[] = [
  ["nothing", "control-plane-kubeadm", () => undefined, []],
  [
    "any address in the rule for ssh",
    "network-control-plane-nsg",
    set("securityRules.0.sourceAddressPrefixes", ["0.0.0.0/0"]),
    [open("network-control-plane-nsg")],
  ],
  [
    "any address by Azure's word, with a range of ports",
    "network-control-plane-nsg",
    push("securityRules", {
      ...{ direction: "Inbound", access: "Allow", sourceAddressPrefix: "Internet" },
      destinationPortRanges: ["6000-7000"],
    }),
    [open("network-control-plane-nsg")],
  ],
  [
    "any address for another port, or refused",
    "network-control-plane-nsg",
    push(
      "securityRules",
      {
        ...{ direction: "Inbound", access: "Allow", sourceAddressPrefix: "*" },
        destinationPortRange: "443",
      },
      { ...{ direction: "Inbound", access: "Deny", sourceAddressPrefix: "*" }, destinationPortRange: "22" },
      {
        ...{ direction: "Outbound", access: "Allow", sourceAddressPrefix: "*" },
        destinationPortRange: "22",
      },
    ),
    [],
  ],
  [
    "no security group, so that CAPZ makes one",
    "cluster-azure",
    remove("spec.networkSpec.subnets.0.securityGroup"),
    [open("cluster-azure")],
  ],
  [
    "a rule of CAPZ",
    "cluster-azure",
    set("spec.networkSpec.subnets.0.securityGroup.securityRules", [
      { direction: "Inbound", action: "Allow", source: "*", destinationPorts: "22" },
    ]),
    [open("cluster-azure")],
  ],
  [
    "an open API server of the management cluster",
    "management-aks-cluster",
    set("apiServerAccessProfile.authorizedIPRanges", ["203.0.113.0/24", "0.0.0.0/0"]),
    [
      "public-management-cluster management.authorizedCidrs: the API server of the management cluster is reachable from any address (credentials are still required) (management-aks-cluster)",
    ],
  ],
  [
    "no Entra in the management cluster",
    "management-aks-cluster",
    remove("aadProfile"),
    [
      "no-entra-login management.entra: not set, so an administrator of the management cluster logs in with a certificate that names no person (management-aks-cluster)",
    ],
  ],
  [
    "no number of replicas",
    "control-plane-kubeadm",
    remove("spec.replicas"),
    [
      "one-control-plane-machine controlPlane.replicas: with one machine, the API server is unavailable while it is replaced, and etcd is lost if its disk is lost; use 3 in production (control-plane-kubeadm)",
    ],
  ],
  [
    "a Secret that encrypts nothing, under the name of a key",
    "control-plane-encryption-secret",
    secretText("resources: [{resources: [secrets], providers: [{identity: {}}]}]"),
    [`no-encryption controlPlane.encryption: ${clear} (control-plane-kubeadm)`],
  ],
  [
    "a Secret that writes in clear text and has a key",
    "control-plane-encryption-secret",
    secretText(
      "resources: [{resources: [secrets], providers: [{identity: {}}, {aescbc: {keys: [{name: a}]}}]}]",
    ),
    [
      "no-encryption controlPlane.encryption.keys: secrets are written in clear text: this is the stage before encryption, or the one before its end. Go on with encryption: {keys: [a]}, or remove encryption when everything is rewritten (docs/operations.md) (control-plane-kubeadm)",
    ],
  ],
  [
    "a Secret that encrypts other kinds, as the API server answers",
    "control-plane-encryption-secret",
    secretText("resources: [{resources: [configmaps], providers: [{secretbox: {keys: [{name: a}]}}]}]", true),
    [
      "no-encryption controlPlane.encryption.resources: resources: [configmaps] leaves Secrets in clear text in etcd, on its disks and in its backups; add secrets (control-plane-kubeadm)",
    ],
  ],
  [
    "a Secret with KMS",
    "control-plane-encryption-secret",
    secretText('resources: [{resources: ["*."], providers: [{kms: {name: vault}}]}]'),
    [],
  ],
  [
    "keys that the API server does not read",
    "control-plane-kubeadm",
    withoutArgument("encryption-provider-config"),
    [`no-encryption controlPlane.encryption: ${clear} (control-plane-kubeadm)`],
  ],
  [
    "a policy of an audit log that goes nowhere",
    "control-plane-kubeadm",
    withoutArgument("audit-log-path"),
    [
      "no-audit-log controlPlane.audit: not set, so the API server has no audit log: there is no record of who changes an object or reads a Secret (control-plane-kubeadm)",
    ],
  ],
  [
    "an API server that does not verify kubelets",
    "control-plane-kubeadm",
    withoutArgument("kubelet-certificate-authority"),
    [
      "unverified-kubelets kubeletCertificates: issued, so the API server and metrics-server do not look at the certificates of kubelets yet (control-plane-kubeadm)",
    ],
  ],
  [
    "an audit policy with everything, in base64",
    "control-plane-kubeadm",
    ({ props }) => {
      const file = list(at(props, "spec", "kubeadmConfigSpec", "files")).find(
        ({ path }) => path === "/etc/kubernetes/audit-policy.yaml",
      );
      Object.assign(file ?? {}, {
        encoding: "base64",
        content: Buffer.from("rules: [{level: RequestResponse}]").toString("base64"),
      });
    },
    [
      'secrets-in-audit-log controlPlane.audit.policy.rules[0]: by this rule the log has contents of Secrets, and whoever reads the log reads them; write before it: {level: Metadata, resources: [{group: "", resources: [secrets]}]} (control-plane-kubeadm)',
    ],
  ],
  [
    "a password on the machines",
    "pool-win1-bootstrap",
    password,
    [
      "plain-credential windowsPools.win1: this looks like a password of net use, which every program on the nodes can read; let the command read it from a file with contentFrom.secretFile (pool-win1-bootstrap)",
    ],
  ],
  ...["cluster-cluster", "network-vnet", "network-resource-group", "management-aks-cluster"].map(
    (name) =>
      [
        `no protection of ${name}`,
        name,
        (resource: Mutable) => (resource.opts = { protect: false }),
        [`unprotected protect: false, so one command can delete the cluster and its network (${name})`],
      ] as const,
  ),
  [
    "an old version of Kubernetes on a pool",
    "pool-win1-pool",
    set("spec.template.spec.version", "v1.33.1"),
    [
      "kubernetes-end-of-life windowsPools.win1.kubernetesVersion: Kubernetes 1.33 had its last patch release in June 2026 (pool-win1-pool)",
    ],
  ],
  [
    "an image of an older Windows than the annotation says",
    "pool-win1-azure",
    set("spec.template.image.computeGallery.name", "capi-win-2022-containerd"),
    [
      "windows-mainstream-end windowsPools.win1.windowsServer: Windows Server 2022 has had only security updates since 2026-10-13, and has them until 2031-10-14 (pool-win1-azure)",
    ],
  ],
  [
    "a moving image in what is delivered",
    "metrics-server-part-1",
    set("data", { a: "---\nspec: {template: {spec: {containers: [{image: nginx}]}}}\n" }),
    ["moving-image addons: nginx has no fixed version: name a tag or a digest (metrics-server-part-1)"],
  ],
  [
    "a chart without a version",
    "cluster-api-providers-cert-manager",
    remove("version"),
    [
      "moving-image the chart cert-manager has no fixed version: name a tag or a digest (cluster-api-providers-cert-manager)",
    ],
  ],
  [
    "a provider without a version",
    "cluster-api-providers-infrastructure",
    remove("spec.version"),
    [
      "moving-image the provider azure has no fixed version: name a tag or a digest (cluster-api-providers-infrastructure)",
    ],
  ],
  [
    "a sample that everybody can open",
    "sample-service",
    remove("spec.loadBalancerSourceRanges"),
    [
      "public-sample sampleWorkload.internal: the load balancer of the sample has a public address that everybody can open (sample-service)",
    ],
  ],
];
