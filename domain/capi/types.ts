/** A Kubernetes object as our pure builders make it: always with an explicit name. */
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

/** `{name, value}` argument list of CAPI v1beta2 (v1beta1 had a map). */
export interface Arg {
  readonly name: string;
  readonly value: string;
}

/** One entry of `KubeadmConfig.spec.files` (CAPI bootstrap v1beta2). Content is at most 10,240 characters. */
export interface BootstrapFile {
  readonly path: string;
  readonly owner?: string;
  /** Octal, as text: "0644". */
  readonly permissions?: string | undefined;
  readonly encoding?: "base64" | "gzip" | "gzip+base64";
  /** Adds to a file that is there already, instead of replacing it. Default false. */
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

/** `KubeadmConfig.spec` and `KubeadmControlPlane.spec.kubeadmConfigSpec` of CAPI bootstrap v1beta2: the part we emit. */
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
