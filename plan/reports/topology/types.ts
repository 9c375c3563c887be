/** What a stack looks like from outside, read from what its program registered: for pictures and tables. */
export interface Topology {
  readonly cluster: string;
  readonly kubernetesVersion: string;
  readonly location: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly management: {
    readonly name: string;
    /** Made by this stack as an AKS cluster, or somebody else's. */
    readonly own: boolean;
    readonly facts: readonly string[];
  };
  /** Cluster API and what it needs, where this stack installs them. */
  readonly providers: readonly { readonly name: string; readonly version: string }[];
  readonly addons: readonly { readonly name: string; readonly objects: number }[];
  readonly identities: readonly Identity[];
  readonly network: Network;
  readonly apiServer: { readonly host: string; readonly port: number; readonly allowed: readonly string[] };
  readonly controlPlane: Machines | undefined;
  /** By name. */
  readonly pools: readonly Pool[];
}

export interface Identity {
  readonly name: string;
  /** Service accounts that may act as it. */
  readonly usedBy: readonly string[];
  readonly roles: readonly string[];
}

export interface Network {
  readonly vnet: string;
  readonly cidr: string;
  /** Bytes. */
  readonly mtu: number;
  /** Bytes inside the overlay network of the pods. */
  readonly podMtu: number;
  readonly podCidr: string;
  readonly serviceCidr: string;
  readonly subnets: readonly {
    readonly name: string;
    readonly cidr: string;
    readonly role: "control-plane" | "node";
  }[];
  /** Missing where nothing translates addresses on the way out. */
  readonly natGateway: string | undefined;
}

export interface Machines {
  readonly name: string;
  /** "3", or "2–10" when an autoscaler decides. */
  readonly count: string;
  readonly vmSize: string;
  readonly version: string;
  /** Short, for a picture. */
  readonly image: string;
  readonly zones: readonly string[];
}

export interface Pool extends Machines {
  readonly os: "Linux" | "Windows";
  /** "Windows Server 2022", "Linux" */
  readonly system: string;
  readonly scaleSet: string;
  readonly firstNodes: readonly string[];
  readonly fullImage: string;
  readonly ssh: string;
  readonly rdpTunnel: string | undefined;
  readonly rollout: string;
}
