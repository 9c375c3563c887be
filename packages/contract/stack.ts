import { z } from "zod";
import { aks, artifact, image, vnet } from "./azure";
import { wayIn } from "./outputs";

const text = z.string();
const texts = z.array(text).readonly();

const taint = z.object({ key: text, value: text, effect: text }).readonly();

const pool = z
  .object({
    name: text,
    /** In the stack file: windowsPools.win1. */
    path: text,
    os: z.enum(["linux", "windows"]),
    kind: z.enum(["MachinePool", "MachineDeployment"]),
    /** What the names of its machines begin with; of a MachinePool also the name of its scale set. */
    computerNamePrefix: text,
    vmSize: text,
    image,
    zones: texts,
    spot: z.boolean(),
    encryptionAtHost: z.boolean(),
    diskEncryptionSetId: text.optional(),
    /** ARM IDs of identities of others that its machines have. */
    identityIds: texts,
    ephemeralOsDisk: z.object({ placement: text, diskGB: z.number() }).readonly().exactOptional(),
    /** Of a Windows pool: the release, and the build as its nodes have it in a label. */
    windowsServer: text.exactOptional(),
    windowsBuild: text.exactOptional(),
    /** Labels and taints that the stack file sets. */
    labels: z.record(text, text).readonly(),
    taints: z.array(taint).readonly(),
    maxPods: z.number(),
    /** Memory that kubelet keeps from pods for the system; "" for none. */
    reservedMemory: text,
  })
  .readonly();

/** Of a network adapter; with `orLess` a CNI that the user brings decides. */
const mtu = z.object({ bytes: z.number(), orLess: z.boolean() }).readonly();
const mtus = z.object({ host: mtu, pod: mtu }).readonly();

const management = z.discriminatedUnion("kind", [
  aks,
  z.object({ kind: z.literal("existing") }).readonly(),
  /** With the full name of the stack that has it. */
  z.object({ kind: z.literal("stack"), stack: text }).readonly(),
]);

/** What tools know about a stack before they look at it. */
export const stackSchema = z
  .object({
    clusterName: text,
    /** Of Cluster API's objects on the management cluster. */
    namespace: text,
    /** With leading v. */
    kubernetesVersion: text,
    subscriptionId: text,
    tenantId: text,
    resourceGroup: text,
    /** Azure region. */
    location: text,
    management,
    /** Whether it makes a workload cluster; otherwise what is said of one means nothing. */
    hasWorkload: z.boolean(),
    clusterApi: z
      .object({
        install: z.boolean(),
        /** Of CAPZ, where the stack makes none. */
        identity: z.object({ principalId: text.optional() }).readonly().optional(),
        artifacts: z.array(artifact).readonly(),
      })
      .readonly(),
    controlPlane: z
      .object({
        vmSize: text,
        image,
        /** Of objects in etcd: their kinds, the names of the keys, and the ARM IDs of those in Key Vault. */
        encryption: z
          .object({
            resources: texts,
            keys: texts,
            keyVaultKeys: z.record(text, text).readonly().optional(),
          })
          .readonly()
          .optional(),
      })
      .readonly(),
    /** First the Linux pools, then the Windows pools, each by name. */
    pools: z.array(pool).readonly(),
    network: z
      .object({
        podCidr: text,
        serviceCidr: text,
        mtus: z.object({ linux: mtus, windows: mtus }).readonly(),
        /** From where public addresses of the cluster may be reached. */
        allowedCidrs: texts,
        wayIn: wayIn.optional(),
        ...vnet,
      })
      .readonly(),
    /** From which host nodes pull images in place of the public registries. */
    registryMirror: text.optional(),
    /** ARM IDs of those from which nodes pull by their identity. */
    azureContainerRegistries: texts,
    addons: z
      .object({
        azureMetadata: z.object({ blocked: z.boolean(), allowedNamespaces: texts }).readonly(),
        gmsa: z.boolean(),
        /** ARM ID of the identity of its plug-in. */
        gmsaIdentity: text.optional(),
        storageClasses: z
          .array(
            z
              .object({ addon: z.enum(["azureDisk", "azureFile"]), name: text, isDefault: z.boolean() })
              .readonly(),
          )
          .readonly(),
      })
      .readonly(),
    workloads: z
      .object({
        /** Whether there is a RuntimeClass for each release of Windows, and for each with Hyper-V isolation. */
        runtimeClasses: z.boolean(),
        hyperV: z.boolean(),
        /** Whether Windows Pods that cannot run are refused. */
        denies: z.boolean(),
        hostProcessNamespaces: texts,
      })
      .readonly(),
  })
  .readonly();

export type StackFacts = z.infer<typeof stackSchema>;
export type PoolFacts = z.infer<typeof pool>;
