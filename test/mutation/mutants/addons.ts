import { inFile, type Mutant } from "./mutant";

export const addons: readonly Mutant[] = [
  ...inFile("components/clusterAutoscaler/manifests.ts", [
    [
      '"--clusterapi-cloud-config-authoritative",',
      "",
      "the autoscaler looks for machines in the workload cluster, and finds none",
    ],
    [
      '["azuremachinepools", "azuremachinetemplates"]',
      '["azuremachinepools"]',
      "with single machines the autoscaler waits for a list that it may not have",
    ],
    [
      'verbs: ["get", "update", "patch"],',
      'verbs: ["get", "update"],',
      "from 1.33 on no pool changes its size",
    ],
    [
      'items: [{ key: "value", path: "kubeconfig" }],',
      'items: [{ key: "kubeconfig", path: "kubeconfig" }],',
      "the pod never starts",
    ],
  ]),
  ...inFile("components/clusterResourceSet/manifests.ts", [
    ['? "ApplyOnce" : "Reconcile"', '? "ApplyOnce" : "ApplyOnce"', "changed add-ons never arrive"],
    [
      "maxConfigMapBytes = 900 * 1024",
      "maxConfigMapBytes = 9000 * 1024",
      "the API server refuses the ConfigMap",
    ],
    ["if (used + size > room) close();", "", "the API server refuses the ConfigMap"],
    ['padStart(width, "0")', 'padStart(1, "0")', "ten entries come in the wrong order"],
  ]),
  ...inFile("platform/manifests/yamlStream.ts", [['compat: "yaml-1.1",', "", "the word no becomes false"]]),
  ...inFile("components/clusterResourceSet/clusterResourceSet.ts", [
    ["childOf(this, opts, ...contents,", "childOf(this, opts,", "the set is there before what it names"],
  ]),
  ...inFile("addons/azureMetadata.ts", [
    ['defaultAction: "Pass"', 'defaultAction: "Deny"', "every pod loses every connection"],
    [
      "order: 2_000_000",
      "order: 2_000",
      "Calico for Windows no longer follows the pods that a NetworkPolicy selects",
    ],
  ]),
  ...inFile("platform/cluster/refusedChanges.ts", [
    [
      'path: "addons.calicoBlockSize",\n    read: blockSizeIn,',
      'path: "data.none",',
      "the operator of a running cluster stops",
    ],
  ]),
  ...inFile("addons/catalogue.ts", [
    [
      'role: "kube-proxy-windows",\n    label: "cniWindows"',
      'role: "kube-proxy-windows",\n    label: "cni"',
      "the label by which Windows is opted out does nothing",
    ],
    ["controlPlaneReplicas > 1 ? 2 : 1", "2", "a second replica that never runs"],
  ]),
  ...inFile("addons/calico.ts", [
    ['bgp: "Disabled"', 'bgp: "Enabled"', "Windows gets another backend"],
    ['windowsDataplane: "HNS"', 'windowsDataplane: "Disabled"', "no network on Windows"],
    ["mtu: args.podMtu,", "mtu: 1400,", "packets do not fit into VXLAN"],
    ['encapsulation: "VXLAN"', 'encapsulation: "VXLANCrossSubnet"', "the operator refuses it beside Windows"],
    ["strictAffinity: true", "strictAffinity: false", "Windows nodes take addresses that do not work"],
    ["...operator.rest, after]", "after, ...operator.rest]", "the operator comes after what it reads"],
    [
      "KUBERNETES_SERVICE_HOST: apiServerHost",
      'KUBERNETES_SERVICE_HOST: "10.96.0.1"',
      "Windows nodes cannot reach the API server",
    ],
    ["serviceCIDRs: [args.serviceCidr]", "serviceCIDRs: [args.podCidr]", "services do not work on Windows"],
  ]),
  ...inFile("addons/kubeProxyWindows.ts", [
    ["-calico-hostprocess`", "-flannel-hostprocess`", "the wrong start script"],
    ['{ name: "NODENAME", valueFrom: nodeName },', "", "kube-proxy does not know its node"],
    ["...hostProcess,", "", "kube-proxy outside of the host's network"],
    ["tolerations: tolerateEverything,", "", "no kube-proxy on a tainted node"],
  ]),
  ...inFile("addons/linuxPods.ts", [
    [
      "{ maxSurge: 0, maxUnavailable: 1 }",
      "{ maxSurge: 1, maxUnavailable: 0 }",
      "an update never ends: the port is taken",
    ],
  ]),
  ...inFile("addons/cloudProviderAzure.ts", [
    [
      "--configure-cloud-routes=false",
      "--configure-cloud-routes=true",
      "routes for node CIDRs that there are not",
    ],
    ["--allocate-node-cidrs=false", "--allocate-node-cidrs=true", "node CIDRs against Calico's"],
    ["--controllers=*,-cloud-node", "--controllers=*", "two controllers initialize one node"],
    [
      "hostNetwork: true,\n          serviceAccountName",
      "serviceAccountName",
      "no cloud provider before the pod network, no pod network before it",
    ],
    [
      '{ [tolerateControlPlane.key]: "" }',
      '{ "kubernetes.io/os": "linux" }',
      "the controller lands where azure.json is missing",
    ],
  ]),
  ...inFile("addons/cloudNodeManager.ts", [
    ['nodeSelector: { "kubernetes.io/os": "linux" },', "", "a Linux image on Windows nodes"],
    ['{ "capz-windows/script": contentHash(script) }', "{}", "a changed script never runs"],
  ]),
  ...inFile("platform/compatibility.ts", [
    [
      'calico: "v3.32.1", clusterAutoscaler: "v1.35.2"',
      'calico: "v3.31.7", clusterAutoscaler: "v1.35.2"',
      "a Calico that is not tested with 1.35",
    ],
    ['"v1.35.4"', '"v1.34.9"', "a provider that is not tested with 1.35"],
  ]),
  ...inFile("addons/calicoReleases.ts", [
    [
      "f18e073794207d372606bc3ea6f8fd73972f86d6828f4ba666dfe0d4aa8ab07f",
      "f18e073794207d372606bc3ea6f8fd73972f86d6828f4ba666dfe0d4aa8ab07e",
      "the pinned manifest is refused",
    ],
  ]),
  ...inFile("addons/cloudProviderAzure.ts", [
    ['minor >= 32 ? "v2/"', 'minor >= 33 ? "v2/"', "the image is not there"],
  ]),
  ...inFile("tools/readBundledFile.ts", [
    ['.replaceAll("\\r\\n", "\\n")', "", "a checkout on Windows deploys another script"],
  ]),
  ...inFile("older/addons/flannelNetwork.ts", [
    ["flannelVni = 4096", "flannelVni = 1", "Windows takes no smaller number"],
    ["flannelPort = 4789", "flannelPort = 8472", "Windows takes no other port"],
  ]),
  ...inFile("older/addons/flannel.ts", [
    ["`FLANNEL_MTU=${podMtu}`", "`FLANNEL_MTU=1450`", "no pod gets ready"],
    ['"--iface=eth0"', '"--iface=eth1"', "the wrong interface"],
  ]),
  ...inFile("older/addons/kubeProxyWins.ts", [
    ["hostNetwork: false", "hostNetwork: true", "kube-proxy starts before the network"],
  ]),
];
