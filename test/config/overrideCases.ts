import type { Case } from "./ruleCases";

const ofWin1 = (overrides: object, pool: object = {}) => ({ windowsPools: { win1: { ...pool, overrides } } });

/** Merge patches that a CRD refuses, or that change fields on which the program relies. */
export const overrideCases: readonly Case[] = [
  [
    "an override of a field that its CRD does not have",
    ofWin1({ AzureMachinePool: { spec: { template: { diagnostic: {} } } } }),
    "windowsPools.win1.overrides.AzureMachinePool.spec.template.diagnostic: there is no such field in spec.template",
    ofWin1({
      AzureMachinePool: { spec: { template: { diagnostics: { boot: { storageAccountType: "Managed" } } } } },
    }),
  ],
  [
    "an override with a value that the CRD does not have",
    ofWin1({
      AzureMachinePool: { spec: { template: { diagnostics: { boot: { storageAccountType: "managed" } } } } },
    }),
    "windowsPools.win1.overrides.AzureMachinePool.spec.template.diagnostics.boot.storageAccountType: the CRD does not allow this:",
    ofWin1({
      AzureMachinePool: { spec: { template: { diagnostics: { boot: { storageAccountType: "Disabled" } } } } },
    }),
  ],
  [
    "an override with which CAPZ crashes",
    ofWin1({
      AzureMachinePool: { spec: { template: { securityProfile: { securityType: "TrustedLaunch" } } } },
    }),
    "windowsPools.win1.overrides.AzureMachinePool.spec.template.securityProfile: an override may not change this: CAPZ sends only encryptionAtHost to a scale set, and crashes without it",
    ofWin1(
      {
        AzureMachineTemplate: {
          spec: { template: { spec: { securityProfile: { securityType: "TrustedLaunch" } } } },
        },
      },
      { kind: "MachineDeployment" },
    ),
  ],
  [
    "an empty override with which CAPZ crashes",
    ofWin1({ AzureMachinePool: { spec: { template: { securityProfile: {} } } } }),
    "windowsPools.win1.overrides.AzureMachinePool.spec.template.securityProfile: an override may not change this: CAPZ sends only encryptionAtHost to a scale set, and crashes without it",
    { windowsPools: { win1: { encryptionAtHost: true } } },
  ],
  [
    "an override that is a text where the CRD has a mapping",
    ofWin1({ MachinePool: { spec: { template: "none" } } }),
    "windowsPools.win1.overrides.MachinePool.spec.template: the CRD requires a mapping here",
    ofWin1({ MachinePool: { spec: { template: { metadata: { annotations: { team: "web" } } } } } }),
  ],
  [
    "an override with a list of which one element is wrong",
    ofWin1({ AzureMachinePool: { spec: { template: { vmExtensions: [{ name: "x" }] } } } }),
    "windowsPools.win1.overrides.AzureMachinePool.spec.template.vmExtensions: the CRD does not allow this: [0].publisher:",
    ofWin1({
      AzureMachinePool: {
        spec: { template: { vmExtensions: [{ name: "x", publisher: "y", version: "1.0" }] } },
      },
    }),
  ],
  [
    "an override that removes what the CRD requires",
    ofWin1({ MachinePool: { spec: { template: null } } }),
    "windowsPools.win1.overrides.MachinePool.spec.template: an override may not change this: the objects of a cluster find each other by it",
    ofWin1({ MachinePool: { spec: { template: { metadata: null } } } }),
  ],
  [
    "an override of a field for which there is a key",
    ofWin1({ AzureMachinePool: { spec: { template: { vmSize: "Standard_D8s_v5" } } } }),
    "windowsPools.win1.overrides.AzureMachinePool.spec.template.vmSize: an override may not change this: the stack file has a key for it",
    ofWin1({}, { vmSize: "Standard_D8s_v5" }),
  ],
  [
    "an override of the list with what every node needs",
    ofWin1({ KubeadmConfig: { spec: { files: [] } } }),
    "windowsPools.win1.overrides.KubeadmConfig.spec.files: an override may not change this: a merge patch replaces the whole list, and with it what every node needs",
    ofWin1({ KubeadmConfig: { spec: { ntp: { enabled: true } } } }),
  ],
  [
    "an override of the folder with the patch of the taint",
    ofWin1({ KubeadmConfig: { spec: { joinConfiguration: { patches: { directory: "C:/mine" } } } } }),
    "windowsPools.win1.overrides.KubeadmConfig.spec.joinConfiguration.patches: an override may not change this: the folder has the patch with the taint by which a node gets its provider id",
    ofWin1({ KubeadmConfig: { spec: { verbosity: 4 } } }),
  ],
  [
    "an override of a name",
    ofWin1({ MachinePool: { metadata: { name: "other" } } }),
    "windowsPools.win1.overrides.MachinePool.metadata.name: an override may not change this: the objects of a cluster find each other by it",
    ofWin1({ MachinePool: { metadata: { labels: { name: "other" } } } }),
  ],
  [
    "an override of an annotation that Pulumi reads",
    ofWin1({ MachinePool: { metadata: { annotations: { "pulumi.com/waitFor": "x", team: "web" } } } }),
    "windowsPools.win1.overrides.MachinePool.metadata.annotations: pulumi.com/waitFor: the program writes or reads it itself",
    ofWin1({ MachinePool: { metadata: { annotations: { "example.org/waitFor": "x" } } } }),
  ],
  [
    "an override of an object that the pool does not have",
    ofWin1({ MachineDeployment: { metadata: { labels: { team: "web" } } } }),
    "windowsPools.win1.overrides.MachineDeployment: a pool of kind MachinePool has no MachineDeployment",
    ofWin1({ MachineDeployment: { metadata: { labels: { team: "web" } } } }, { kind: "MachineDeployment" }),
  ],
  [
    "an override of the labels by which a MachineDeployment finds its machines",
    ofWin1(
      {
        MachineDeployment: {
          spec: { template: { metadata: { labels: { "cluster.x-k8s.io/cluster-name": "other" } } } },
        },
      },
      { kind: "MachineDeployment" },
    ),
    "windowsPools.win1.overrides.MachineDeployment.spec.template.metadata.labels: an override may not change spec.template.metadata.labels.cluster.x-k8s.io/cluster-name: the objects",
    ofWin1(
      { MachineDeployment: { spec: { template: { metadata: { labels: { team: "web" } } } } } },
      { kind: "MachineDeployment" },
    ),
  ],
  [
    "an override of the control plane's files",
    {
      controlPlane: { overrides: { KubeadmControlPlane: { spec: { kubeadmConfigSpec: { files: null } } } } },
    },
    "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.files: an override may not change this: a merge patch replaces the whole list",
    {
      controlPlane: {
        overrides: { KubeadmControlPlane: { spec: { kubeadmConfigSpec: { verbosity: 2 } } } },
      },
    },
  ],
  [
    "an override of the cluster's network",
    { overrides: { AzureCluster: { spec: { networkSpec: { vnet: { name: "mine" } } } } } },
    "overrides.AzureCluster.spec.networkSpec.vnet: an override may not change this: the stack file has a key for it",
    {
      overrides: {
        AzureCluster: {
          spec: { networkSpec: { additionalAPIServerLBPorts: [{ name: "konnectivity", port: 8132 }] } },
        },
      },
    },
  ],
  ...(
    [
      [
        "networkSpec.controlPlaneOutboundLB",
        { networkSpec: { controlPlaneOutboundLB: { frontendIPsCount: 1 } } },
        "CAPZ refuses it beside a public API server, and the control plane of a private one leaves as its nodes do (network.outbound)\n",
      ],
      [
        "networkSpec.nodeOutboundLB",
        { networkSpec: { nodeOutboundLB: { frontendIPsCount: 1 } } },
        "CAPZ would make public addresses for it, and nodes leave by the way that the stack file names\n",
      ],
      [
        "networkSpec.privateDNSZoneName",
        { networkSpec: { privateDNSZoneName: "internal.example.org" } },
        "the stack file has a key for it\n",
      ],
      [
        "networkSpec.privateDNSZoneResourceGroup",
        { networkSpec: { privateDNSZoneResourceGroup: "hub" } },
        "the stack file has a key for it\n",
      ],
      [
        "bastionSpec.azureBastion",
        { bastionSpec: { azureBastion: {} } },
        "CAPZ would make its subnet in the VNET of the stack, whose next update deletes it, and a bastion can never be removed from an AzureCluster\n",
      ],
    ] as const
  ).map(([field, spec, why]): Case => [
    `an override of ${field}, which CAPZ refuses or which makes what the plan does not have`,
    { overrides: { AzureCluster: { spec } } },
    `overrides.AzureCluster.spec.${field}: an override may not change this: ${why}`,
    { overrides: { AzureCluster: { spec: { additionalTags: { part: "cluster" } } } } },
  ]),
  ...(
    [
      ["controlPlane.", (overrides) => ({ controlPlane: { overrides } })],
      ["windowsPools.win1.", (overrides) => ofWin1(overrides, { kind: "MachineDeployment" })],
    ] as readonly [string, (overrides: object) => object][]
  ).map(([place, of]): Case => {
    const template = (spec: object) => of({ AzureMachineTemplate: { spec: { template: { spec } } } });
    return [
      `an override of ${place} with a public address for each machine`,
      template({ allocatePublicIP: true }),
      `${place}overrides.AzureMachineTemplate.spec.template.spec.allocatePublicIP: an override may not change this: the plan and its network paths count on machines without public addresses\n`,
      template({ enableIPForwarding: true }),
    ];
  }),
  [
    "an override with a name of JavaScript",
    { overrides: { Cluster: { spec: { toString: 1 } } } },
    "overrides.Cluster.spec.toString: there is no such field in spec",
    { overrides: { Cluster: { metadata: { labels: { team: "web" } } } } },
  ],
];
