import { parseUrn } from "./urn";

/** The project's components, by the last part of their type token. Tokens are part of every URN, so they never change. */
export type ComponentKind =
  | "AksCluster"
  | "AksNetwork"
  | "AzureBastion"
  | "ClusterApi"
  | "ClusterApiProviders"
  | "ClusterAutoscaler"
  | "ClusterResourceSet"
  | "ControllerIdentity"
  | "EncryptionKeys"
  | "ExistingNetwork"
  | "LinuxControlPlane"
  | "LinuxPool"
  | "ManagementCluster"
  | "SharedManagement"
  | "RunningPools"
  | "SampleWorkload"
  | "ScaleSets"
  | "ApiServerEndpoint"
  | "ApiServerZone"
  | "StackCluster"
  | "UpgradeOrder"
  | "VirtualNetwork"
  | "VnetPeerings"
  | "WindowsPool"
  | "WorkloadCluster";

const token = /^capz-windows:index:(\w+)$/;

/**
 * The components that a resource is in, outermost first; a component itself comes last. A URN says this by types alone,
 * whatever the logical names are.
 */
export const componentsOf = (urn: string): string[] =>
  parseUrn(urn)
    .qualifiedType.split("$")
    .flatMap((type) => token.exec(type)?.[1] ?? []);

export const isWithin = (urn: string, kind: ComponentKind): boolean => componentsOf(urn).includes(kind);
