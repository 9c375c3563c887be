import { inFile, type Mutant } from "./mutant";

export const network: readonly Mutant[] = [
  ...inFile("platform/network/mtu.ts", [
    ["azureVnetMtu = 1400", "azureVnetMtu = 1500", "Azure fragments, Windows drops"],
    ["vxlanOverhead = 50", "vxlanOverhead = 42", "pods send packets that do not fit"],
    ["networkMtu - vxlanOverhead", "networkMtu", "the VXLAN header is forgotten"],
  ]),
  ...inFile("platform/network/addressing.ts", [
    ["azureReserved = 5", "azureReserved = 3", "a subnet has too few addresses"],
    ["prefix: vnet.prefix + 1 }", "prefix: vnet.prefix + 2 }", "half of the node subnet is missing"],
    ["Math.max(24, vnet.prefix + 2)", "Math.max(24, vnet.prefix + 1)", "a quarter of a small VNET is lost"],
  ]),
  ...inFile("platform/network/reach/rules.ts", [
    ["a.priority - b.priority", "b.priority - a.priority", "the last rule decides, and not the first"],
    ['"DenyAllInBound", "Deny"', '"DenyAllInBound", "Allow"', "a plan takes every address for an open one"],
  ]),
  ...inFile("platform/network/reach/routes.ts", [
    [
      "lengthOf(b.prefix) - lengthOf(a.prefix)",
      "lengthOf(a.prefix) - lengthOf(b.prefix)",
      "a default route hides the others",
    ],
    [
      "lengthOf(own.prefix) >= lengthOf",
      "lengthOf(own.prefix) > lengthOf",
      "a route that drops the VNET is not seen",
    ],
  ]),
  ...inFile("components/virtualNetwork/securityRules.ts", [
    ['access: "Allow"', 'access: "Deny"', "the API server cannot be reached"],
    ['"allow_ssh", 2200', '"allow_ssh", 2201', "two rules of one priority"],
    ['"allow_apiserver"', '"allow-apiserver"', "CAPZ adds its own open rule"],
    ["ssh.length > 0", "ssh.length >= 0", "a rule without sources: Azure refuses it"],
    ["2201, apiServerPort, apiServer", "2201, apiServerPort, ssh", "nodes and controllers are locked out"],
  ]),
  ...inFile("components/virtualNetwork/virtualNetwork.ts", [
    [
      "...(nat.id === undefined ? {} : { natGateway: { id: nat.id } }),",
      "",
      "nodes do not reach the Internet",
    ],
    ["...outboundRoutes(args.outbound)", "", "nothing leads to the firewall"],
    ["...subnetOutbound(args.outbound),", "", "machines leave past the firewall by Azure's default"],
    [
      "args.nodeSubnetCidr ?? subnets.nodes, nodeNsg)",
      "args.nodeSubnetCidr ?? subnets.nodes, controlPlaneNsg)",
      "the wrong security group",
    ],
    [
      "{ parent: this, protect },\n    );\n    const common",
      "{ parent: this },\n    );\n    const common",
      "a destroy takes the resource group",
    ],
    ['ignoreChanges: ["securityRules"]', "", "an update deletes the rules of the cloud provider"],
    ["...management,", "", "CAPI cannot reach the API server"],
    ["this.mtu = args.mtu", "this.mtu = 1500", "the MTU of the settings is not handed on"],
    ["addressPrefixes: [vnetCidr]", "addressPrefixes: [subnets.nodes]", "the VNET lacks a subnet"],
  ]),
];

export const workloadCluster: readonly Mutant[] = [
  ...inFile("platform/cluster/naming.ts", [
    ["0x01000193", "0x01000197", "the API server's name is another one"],
    ["`pip-${clusterName}-apiserver`", "`pip-${clusterName}-api`", "the API server's name is another one"],
    ["apiServerPort = 6443", "apiServerPort = 443", "nothing answers"],
    [
      "`${clusterName}-node-routetable`",
      "`${clusterName}-routetable`",
      "azure.json names another route table",
    ],
    ["`${ownerName}-azure-json`", "`${ownerName}-azurejson`", "machines wait for a secret that never exists"],
  ]),
  ...inFile("components/workloadCluster/manifests.ts", [
    ['role: "control-plane",', 'role: "node",', "CAPZ refuses the AzureCluster"],
    ["{ natGateway: { name: names.natGateway } }", "{}", "CAPZ makes a second NAT gateway"],
    ["{ id: subnetId(vnetId, name) }", "{}", "CAPZ makes a NAT gateway with a public address"],
    [
      "pods: { cidrBlocks: [args.podCidr] }",
      "pods: { cidrBlocks: [args.serviceCidr] }",
      "two networks are one",
    ],
    ["...cniWindows,", "", "kube-proxy never comes to Windows"],
    ["annotations: awaitedElsewhere,", "", "a destroy deletes everything at once"],
    [": poolRunning, contentHash)", ': poolRunning, "")', "a changed pool is not waited for"],
    [
      "namespace: args.namespace,\n      },\n      networkSpec",
      'namespace: "default",\n      },\n      networkSpec',
      "CAPZ finds no identity",
    ],
  ]),
  ...inFile("components/workloadCluster/workloadCluster.ts", [
    [
      "...childOf(this, opts, azureCluster)",
      "...childOf(this, {}, azureCluster)",
      "a destroy pulls the floor from under the Cluster",
    ],
    ["protect: args.protect ?? false,\n      // Covers", "// Covers", "a destroy takes the cluster"],
    ["customTimeouts: machineTimeouts,\n    });", "});", "a deletion gives up after ten minutes"],
    ["deletedWith: cluster,\n        })\n", "})\n", "a destroy stops at a pool that is gone"],
    ["const apiServer = wait\n", "const apiServer = !wait\n", "the kubeconfig is read before it is there"],
  ]),
  ...inFile("components/workloadCluster/kubeconfigId.ts", [
    ["|| !cluster.isPreview", "|| cluster.isPreview", "the preview after an interrupted up fails"],
  ]),
  ...inFile("components/waitingPatch.ts", [
    ["pulumi.output(id).apply(", "pulumi.output(metadata).apply(", "a preview tries out a patch of nothing"],
  ]),
];
