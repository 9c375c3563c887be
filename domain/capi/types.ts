/** A Kubernetes object as the builders in domain/ and components/ return it, always with an explicit name. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An entry of an argument list in CAPI v1beta2 (v1beta1 had a map). */
export interface Arg {
  readonly name: string;
  readonly value: string;
}

/** An entry of `KubeadmConfig.spec.files` (CAPI bootstrap v1beta2). Its content has at most 10,240 characters. */
export interface BootstrapFile {
  readonly path: string;
  readonly owner?: string;
  /** Octal mode as text, for instance "0644". */
  readonly permissions?: string;
  readonly encoding?: "base64" | "gzip" | "gzip+base64";
  /** Append to an existing file instead of replacing it. Default false. */
  readonly append?: boolean;
  readonly content?: string;
  readonly contentFrom?: { readonly secret: { readonly name: string; readonly key: string } };
}

export interface BootstrapUser {
  readonly name: string;
  readonly groups?: string;
  readonly sudo?: string;
  readonly sshAuthorizedKeys?: readonly string[];
}

export interface NodeRegistration {
  readonly name?: string;
  readonly criSocket?: string;
  readonly kubeletExtraArgs?: readonly Arg[];
  readonly ignorePreflightErrors?: readonly string[];
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

export interface Timeouts {
  readonly controlPlaneComponentHealthCheckSeconds?: number;
  readonly tlsBootstrapSeconds?: number;
}

export interface HostPathMount {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

/** The part of `KubeadmConfig.spec` and `KubeadmControlPlane.spec.kubeadmConfigSpec` (CAPI v1beta2) that is used here. */
export interface KubeadmConfigSpec {
  readonly clusterConfiguration?: {
    readonly imageRepository?: string;
    readonly dns?: { readonly imageRepository?: string };
    readonly apiServer?: {
      readonly extraArgs?: readonly Arg[];
      readonly extraVolumes?: readonly HostPathMount[];
    };
    readonly controllerManager?: {
      readonly extraArgs?: readonly Arg[];
      readonly extraVolumes?: readonly HostPathMount[];
    };
    readonly etcd?: { readonly local?: { readonly dataDir?: string; readonly extraArgs?: readonly Arg[] } };
  };
  readonly initConfiguration?: { readonly nodeRegistration?: NodeRegistration; readonly timeouts?: Timeouts };
  readonly joinConfiguration?: {
    readonly nodeRegistration?: NodeRegistration;
    readonly timeouts?: Timeouts;
    readonly patches?: { readonly directory: string };
  };
  readonly diskSetup?: {
    readonly partitions?: readonly {
      readonly device: string;
      readonly layout: boolean;
      readonly overwrite?: boolean;
      readonly tableType?: string;
    }[];
    readonly filesystems?: readonly {
      readonly device: string;
      readonly filesystem: string;
      readonly label?: string;
      readonly replaceFS?: string;
      readonly extraOpts?: readonly string[];
    }[];
  };
  readonly mounts?: readonly (readonly string[])[];
  readonly ntp?: { readonly enabled?: boolean; readonly servers?: readonly string[] };
  readonly files?: readonly BootstrapFile[];
  readonly users?: readonly BootstrapUser[];
  readonly preKubeadmCommands?: readonly string[];
  readonly postKubeadmCommands?: readonly string[];
  readonly verbosity?: number;
}
