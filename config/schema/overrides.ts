import { z } from "zod";
import { optionalKey } from "./scalars";

/** Merge patches of objects, by their kind: the way to fields that have no key. */

const patch = (kind: string, example: object) =>
  optionalKey(z.record(z.string(), z.unknown()), {
    description: `Merge patch of the ${kind}`,
    allowed: `a mapping with metadata (labels, annotations) and spec, as the CRD of ${kind} has them`,
    examples: [example],
  });

const overrides = <T extends z.ZodRawShape>(of: string, kinds: T) =>
  z
    .strictObject(kinds)
    .default({} as never)
    .meta({
      description: `RFC 7386 merge patches of the objects of ${of}, by kind: mappings are merged, lists are replaced, \`null\` removes. Checked against the CRDs; what the program relies on cannot be changed`,
    });

const diagnostics = { diagnostics: { boot: { storageAccountType: "Managed" } } };

const scaleSet = {
  MachinePool: patch("MachinePool", { spec: { template: { metadata: { annotations: { team: "web" } } } } }),
  AzureMachinePool: patch("AzureMachinePool", { spec: { template: diagnostics } }),
  KubeadmConfig: patch("KubeadmConfig", { spec: { ntp: { servers: ["time.windows.com"] } } }),
};

const singleMachines = {
  MachineDeployment: patch("MachineDeployment", { metadata: { labels: { team: "web" } } }),
  AzureMachineTemplate: patch("AzureMachineTemplate", { spec: { template: { spec: diagnostics } } }),
  KubeadmConfigTemplate: patch("KubeadmConfigTemplate", {
    spec: { template: { spec: { ntp: { servers: ["time.windows.com"] } } } },
  }),
  MachineHealthCheck: patch("MachineHealthCheck", { metadata: { labels: { team: "web" } } }),
};

export const linuxPoolOverrides = overrides("the pool", scaleSet);

export const windowsPoolOverrides = overrides("the pool", { ...scaleSet, ...singleMachines });

export const controlPlaneOverrides = overrides("the control plane", {
  KubeadmControlPlane: patch("KubeadmControlPlane", {
    spec: { kubeadmConfigSpec: { clusterConfiguration: { certificateValidityPeriodDays: 180 } } },
  }),
  AzureMachineTemplate: singleMachines.AzureMachineTemplate,
  MachineHealthCheck: singleMachines.MachineHealthCheck,
});

export const clusterOverrides = overrides("the cluster", {
  Cluster: patch("Cluster", { metadata: { labels: { team: "web" } } }),
  AzureCluster: patch("AzureCluster", {
    spec: { additionalTags: { part: "cluster" } },
  }),
});
