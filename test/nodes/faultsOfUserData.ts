/** User data in which something is wrong that only the program notices which reads it on the node. */

type Fault = readonly [
  what: string,
  stack: string,
  path: string,
  change: (text: string) => string,
  problem: RegExp,
];

/** @throws Error when the text is not there, so that nothing would be planted */
const swap =
  (from: string | RegExp, to: string) =>
  (text: string): string => {
    const changed = text.replace(from, to);
    if (changed === text) {
      throw new Error(`the user data does not have ${String(from)}`);
    }
    return changed;
  };

const first = "control-plane/user-data.txt";

export const faultsOfUserData: readonly Fault[] = [
  [
    "a hosts.toml that is no TOML",
    ...(["mirrored", "win1/user-data.txt"] as const),
    swap('capabilities = ["pull", "resolve"]', 'capabilities = ["pull", "resolve"'),
    /containerd, .*hosts\.toml: .*array elements must be separated by commas/,
  ],
  [
    "a capability that containerd does not know",
    ...(["mirrored", "linux1/user-data.txt"] as const),
    swap('capabilities = ["pull", "resolve"]', 'capabilities = ["pull", "resolves"]'),
    /containerd, .*hosts\.toml: .*unknown capability resolves/,
  ],
  [
    "a level that the audit policy does not have",
    ...(["locked-down", first] as const),
    swap("- level: Metadata", "- level: Metadatas"),
    /--audit-policy-file: rules\[\d+\]\.level: Unsupported value: "Metadatas"/,
  ],
  [
    "a patch with a name that kubeadm ignores",
    ...(["dev", "win1/user-data.txt"] as const),
    swap("kubeletconfiguration0+strategic.yaml", "kubelet-configuration0+strategic.yaml"),
    /kubeadm: \[patches\] Ignoring file "kubelet-configuration0\+strategic\.yaml": unknown target/,
  ],
  [
    "a folder of patches that nothing makes",
    ...(["dev", "win1/user-data.txt"] as const),
    swap("directory: C:/k/patches", "directory: C:/k/patch"),
    /patches\.directory: no file of the user data is in C:\/k\/patch/,
  ],
  [
    "a file without a mount in the API server's Pod",
    ...(["locked-down", first] as const),
    swap(/ {8}- hostPath: \/etc\/kubernetes\/audit-policy.yaml\n(?: {10}.*\n)+/, ""),
    /--audit-policy-file=\/etc\/kubernetes\/audit-policy\.yaml is not in a mount of the container/,
  ],
  [
    "a mount of a file that nothing makes",
    ...(["locked-down", first] as const),
    swap("hostPath: /etc/kubernetes/admission.yaml", "hostPath: /etc/kubernetes/admissions.yaml"),
    /\/etc\/kubernetes\/admissions\.yaml must exist, and nothing in the user data makes it/,
  ],
  [
    "a label of a domain that kubelet may not set",
    ...(["dev", "win1/user-data.txt"] as const),
    swap(
      "        - name: cloud-provider\n",
      "        - name: node-labels\n          value: node-role.kubernetes.io/web=\n        - name: cloud-provider\n",
    ),
    /kubelet's flags: .*node-role\.kubernetes\.io\/web/,
  ],
  [
    "a flag that kubelet does not have",
    ...(["dev", "win1/user-data.txt"] as const),
    swap("- name: windows-priorityclass", "- name: windows-priority"),
    /kubelet's flags: unknown flag: --windows-priority/,
  ],
  [
    "a quantity that cannot be read",
    ...(["mirrored", "win1/user-data.txt"] as const),
    swap("memory: 2Gi", "memory: 2GiB"),
    /kubelet's systemReserved\.memory: quantities must match/,
  ],
  [
    "a field that KubeletConfiguration does not have",
    ...(["locked-down", "linux1/user-data.txt"] as const),
    swap("serverTLSBootstrap: true", "serverTLSBootstraps: true"),
    /kubelet's configuration, strictly: strict decoding error: unknown field "serverTLSBootstraps"/,
  ],
  [
    "a field that kubeadm's configuration does not have",
    ...(["dev", first] as const),
    swap("podSubnet:", "podSubnets:"),
    /kubeadm config validate: .*unknown field "networking\.podSubnets"/,
  ],
  [
    "a flag that the API server does not have",
    ...(["locked-down", first] as const),
    swap("- name: audit-log-maxbackup", "- name: audit-log-maxbackups"),
    /static Pod kube-apiserver\.yaml: unknown flag: --audit-log-maxbackups/,
  ],
  [
    "a value that a flag of the controller manager does not take",
    ...(["dev", first] as const),
    swap(/(allocate-node-cidrs\n +value: )"false"/, '$1"no"'),
    /static Pod kube-controller-manager\.yaml: invalid argument "no" for "--allocate-node-cidrs" flag/,
  ],
  [
    "a flag that etcd does not have",
    ...(["locked-down", first] as const),
    swap("quota-backend-bytes", "quota-backend-size"),
    /static Pod etcd\.yaml: flag provided but not defined: -quota-backend-size/,
  ],
  [
    "an issuer that is no URL",
    ...(["locked-down", first] as const),
    swap("url: https://login.microsoftonline.com/", "url: http://login.microsoftonline.com/"),
    /authentication: .*URL scheme must be https/,
  ],
  [
    "an admission plug-in that the API server does not have",
    ...(["locked-down", first] as const),
    swap("- name: PodSecurity\n", "- name: PodSecurities\n"),
    /there is no admission plug-in "PodSecurities"/,
  ],
];
