import { inFile, type Mutant } from "./mutant";

export const management: readonly Mutant[] = [
  ...inFile("components/clusterApi/manifests.ts", [
    ['capzNamespace = "capz-system"', 'capzNamespace = "capz"', "the federated subjects match no account"],
    [
      '["capz-manager", "azureserviceoperator-default"]',
      '["capz-manager"]',
      "Azure Service Operator cannot log in",
    ],
    ["api://AzureADTokenExchange", "api://AzureADTokens", "Entra refuses the token"],
    ['type: "WorkloadIdentity"', 'type: "UserAssignedMSI"', "CAPZ looks for an identity on its node"],
    [
      "allowedNamespaces: { list: [args.namespace] }",
      "allowedNamespaces: {}",
      "every namespace may use the identity",
    ],
    [
      "annotations: awaitedByPatch",
      "annotations: {}",
      "an `up` that is killed while it waits makes the provider a second time",
    ],
    ["contentHash(spec)", '"provider"', "a changed provider is not waited for"],
  ]),
  ...inFile("components/clusterApi/providers.ts", [
    ["dependsOn: [space, ...before],", "dependsOn: [space],", "providers before the core provider"],
    ["[installed] : before", "[provider] : before", "the next provider meets missing webhooks"],
    ["crds: { enabled: true }", "crds: { enabled: false }", "cert-manager without its CRDs"],
    ["enableHelmHook: false", "enableHelmHook: true", "providers that are not tracked"],
  ]),
  ...inFile("components/clusterApi/controllerIdentity.ts", [
    ["dependsOn: [...before] }", "dependsOn: [] }", "Azure answers 409"],
    ['replaceOnChanges: ["principalId"], ', "", "a role stays with the old identity"],
    ['principalType: "ServicePrincipal"', 'principalType: "User"', "Azure does not find the new identity"],
    ["scope: `/subscriptions/${subscriptionId}`", "scope: args.resourceGroupId", "CAPZ cannot list VM sizes"],
    [
      'network: "networkContributor"',
      'network: "contributor"',
      "the control plane may become the controllers",
    ],
    ['        role: "reader",\n', '        role: "contributor",\n', "CAPZ may change the whole subscription"],
    [
      '{ role: "reader", principalId: cloudProvider',
      '{ role: "acrPull", principalId: cloudProvider',
      "no volume attaches to a node with a disk encryption set",
    ],
  ]),
  ...inFile("components/clusterApi/clusterApi.ts", [
    [
      "...inManagement, dependsOn: installed, protect",
      "...inManagement, protect",
      "the namespace before the providers, and after them at the end",
    ],
    ["protect: args.protect ?? false", "protect: false", "the namespace goes with every cluster in it"],
    ["createNamespace === false", "createNamespace === undefined", "a namespace that exists fails the `up`"],
    ["dependsOn: [namespace, identity]", "dependsOn: [namespace]", "the roles go while CAPZ still deletes"],
    ["withoutDeletedWith(opts)", "opts", "a destroy leaves the role assignments in Azure"],
  ]),
  ...inFile("components/managementCluster/aksCluster.ts", [
    ["oidcIssuerProfile: { enabled: true }", "oidcIssuerProfile: { enabled: false }", "no workload identity"],
    ["workloadIdentity: { enabled: true }", "workloadIdentity: { enabled: false }", "no workload identity"],
    ['ignoreChanges: ["agentPoolProfiles[0].count"],', "", "an update undoes the autoscaler"],
    ["[...cidrs, ...egressCidrs]", "[...cidrs]", "its own nodes are locked out"],
    ["...(egress ? [egress.role] : [])", "", "AKS may not use the address yet"],
    ["...(own?.roles ?? [])", "", "AKS may not join its subnet yet"],
    [
      "this.kubeconfig = pulumi.secret(",
      "this.kubeconfig = pulumi.output(",
      "the kubeconfig stands in the state in clear",
    ],
  ]),
  ...inFile("components/managementCluster/aksCluster.ts", [
    ["orchestratorVersion: kubernetesVersion,", "", "an upgrade leaves the nodes behind"],
    ["...egressCidrs] : []", "...egressCidrs] : undefined as never", "AKS keeps old ranges"],
    [
      "disableLocalAccounts: true",
      "disableLocalAccounts: false",
      "certificates of administrators beside Entra",
    ],
    ["entra ? kubeloginKubeconfig(kubeconfig) : kubeconfig", "kubeconfig", "`up` asks for a device code"],
  ]),
  ...inFile("platform/azure/aks.ts", [["length > 2", "length > 3", "AKS is asked for an older patch"]]),
  ...inFile("components/managementCluster/managementCluster.ts", [
    [
      "clusterIdentifier: this.clusterIdentifier,\n        // Otherwise",
      "// Otherwise",
      "a renewed certificate recreates everything",
    ],
    ["enableConfigMapMutable: true,", "", "a changed add-on is away for a moment"],
    [
      "kubeconfig: pulumi.secret(given.kubeconfig)",
      "kubeconfig: pulumi.output(given.kubeconfig)",
      "a kubeconfig in clear",
    ],
    [
      "clusterIdentifier: given.name,",
      'clusterIdentifier: "existing",',
      "another cluster is taken for the same",
    ],
  ]),
  ...inFile("capi/apiVersions.ts", [
    ['"cluster.x-k8s.io/v1beta2"', '"cluster.x-k8s.io/v1beta1"', "managed fields of two versions mix"],
    ['apiVersion.split("/")[0]', "apiVersion", "CAPI refuses the reference"],
  ]),
  ...inFile("platform/cluster/refusedChanges.ts", [
    [
      "versions((before, after) => minor(after) - minor(before) > 1)",
      "versions((before, after) => minor(after) - minor(before) > 2)",
      "two minors at once pass",
    ],
  ]),
  ...inFile("components/unreadyWebhooks.ts", [
    ["!newest.includes(waited) &&", "", "a wait of an hour in vain is waited for again and again"],
    ['failedOperation !== "delete" &&', "", "a deletion waits for what never comes back"],
    ["<= patience", "< 0", "an `up` fails because a webhook moves to another node"],
  ]),
  ...inFile("capi/waits.ts", [
    [
      "initialization.controlPlaneInitialized}=true",
      "conditions[0].status}=True",
      "waits for what is never updated",
    ],
    ['[pulumiAnnotations.skipAwait]: "true"', "", "an update waits for what never comes"],
    ['[pulumiAnnotations.patchForce]: "true",', "", "a patch that an up lost is in the way of the next"],
    [
      '[pulumiAnnotations.deletionPropagation]: "background"',
      '[pulumiAnnotations.deletionPropagation]: "foreground"',
      "everything is deleted at once",
    ],
  ]),
  ...inFile("platform/machines/healthChecks.ts", [
    [
      '      ready("False", options.nodeNotReadyTimeoutSeconds ?? healthCheckDefaults.nodeNotReadyTimeoutSeconds),\n',
      "",
      "a node that is not ready stays",
    ],
    [
      "nodeNotReadyTimeoutSeconds: 1200",
      "nodeNotReadyTimeoutSeconds: 300",
      "a network that is late costs the first machine",
    ],
    ["defaultLimit = 1,", "defaultLimit = 3,", "etcd loses its majority"],
  ]),
  ...inFile("components/clusterResourceSet/addonSets.ts", [
    ["(args.wait ?? true)", "false", "Calico comes ten minutes late"],
  ]),
  ...inFile("components/clusterApi/manifests.ts", [
    ["`${syncPeriodMinutes}m`", '"10m"', "a deleted pool stays ten minutes"],
  ]),
  ...inFile("program/waitArgs.ts", [
    ['settings.wait === "nodes" && {', 'settings.wait === "none" && {', "`wait: nodes` waits for nothing"],
    ['settings.wait !== "none" && {', 'settings.wait !== "nodes" && {', "upgrades without an order"],
  ]),
  ...inFile("program/apiServerArgs.ts", [
    ["managementCidrs: egressCidrs", "managementCidrs: []", "CAPI cannot reach the API server"],
  ]),
  ...inFile("program/addonArgs.ts", [
    ["networkMtu: mtu", "networkMtu: 1400", "another network.mtu does not reach the pods"],
  ]),
  ...inFile("addons/windowsMtu.ts", [
    ["String(pod.bytes)", "String(host.bytes)", "packets of Windows pods do not fit into VXLAN"],
    ["String(host.bytes)", "String(pod.bytes)", "Windows hosts send smaller packets than the plan says"],
  ]),
  ...inFile("platform/cluster/platform.ts", [
    ["firstModernMinor = 26", "firstModernMinor = 27", "1.26 gets the add-ons of 1.25"],
    ["minor(kubernetesVersion) === 22", "minor(kubernetesVersion) >= 22", "no component of 1.28 starts"],
  ]),
  ...inFile("platform/machines/windowsReleases.ts", [
    [
      "`mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc${windowsServer}`",
      "`mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019`",
      "the image of another release",
    ],
  ]),
  ...inFile("components/sampleWorkload/manifests.ts", [
    ["progressDeadlineSeconds: sampleDeadlineSeconds, ", "", "Kubernetes gives up before the image is there"],
  ]),
  ...inFile("platform/workloads/windowsObjects.ts", [
    [
      "loadBalancerSourceRanges: [...allowedCidrs]",
      "loadBalancerSourceRanges: []",
      "IIS is open to everybody",
    ],
  ]),
  ...inFile("platform/workloads/windowsVersions.ts", [
    [
      "stableBuilds[Math.max(0, own - 1)]",
      "stableBuilds[own]",
      "images that Windows Server 2025 starts are refused",
    ],
    [
      "container.build <= host.build",
      "true",
      "an image that is newer than its host passes, and never starts",
    ],
  ]),
  ...inFile("platform/machines/windowsReleases.ts", [
    ['"2022": "10.0.20348"', '"2022": "10.0.17763"', "IIS lands on another release, and does not start"],
  ]),
  ...inFile("index.ts", [
    ["[...management.ready, ...clusterApi.ready, ...parts]", "parts", "objects before their CRDs"],
    ["after(...beforeLinux, ...linuxPools)", "after(...beforeLinux)", "Windows is upgraded beside Linux"],
    ["[controlPlane, ...early,", "[...early,", "kubelets newer than the API server"],
  ]),
  ...inFile("capi/waits.ts", [
    [
      "@.version == $.spec.version",
      "@.version",
      "kubelets newer than the API server: the control plane is not waited for",
    ],
    ["length(@.versions) == 1 && ", "", "Windows follows when the first Linux node is new"],
    ["!@.versions || ", "", "an empty pool is waited for until the time limit"],
  ]),
];

export const config: readonly Mutant[] = [
  ...inFile("config/rules/network.ts", [
    ["[services, pods],", "", "services and pods overlap"],
    ["subnet.prefix > 29", "subnet.prefix > 30", "Azure refuses the subnet"],
    [
      "settings.controlPlane.replicas +\n    1 +",
      "settings.controlPlane.replicas +\n    0 +",
      "no room for the machine that replaces",
    ],
  ]),
  ...inFile("config/rules/versions.ts", [["< 25 ? 2 : 3", "< 25 ? 2 : 4", "a kubelet that is too old"]]),
];

export const plan: readonly Mutant[] = [
  ...inFile("commands/plan/checks/references.ts", [
    [
      ".filter(({ target }) => !known.has(target))",
      ".filter(() => false)",
      "names that point at nothing pass",
    ],
  ]),
  ...inFile("commands/plan/model/cluster/machines.ts", [
    [
      'const metadata = isTemplate ? at(template, "metadata") :',
      "const metadata =",
      "reports do not know the Windows release of single machines",
    ],
    ["autoscale?.min ?? numberAt(", "numberAt(", "an autoscaled pool counts as one machine"],
  ]),
  ...inFile("platform/machines/naming.ts", [
    [
      "length: isScaleSet ? replicas : 0",
      "length: replicas",
      "reports name machines whose names cannot be known",
    ],
  ]),
  ...inFile("commands/plan/model/stackObjects.ts", [
    [
      'isWithin(provider, "SampleWorkload")',
      "provider.length < 0",
      "the sample counts as an object of the management cluster",
    ],
  ]),
  ...inFile("commands/plan/reports/picture/marks.ts", [
    ["alone ? (side", "false ? (side", "a picture does not mark what is added or removed"],
  ]),
  ...inFile("commands/plan/cli/planStack.ts", [
    ["if (different.length > 0) {", "if (different.length > 999) {", "resources made inside an apply pass"],
    ["if (faults.length > 0) {", "if (faults.length > 999) {", "user data that was not read passes"],
  ]),
];
