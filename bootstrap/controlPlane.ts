import type { KubeadmConfigSpec, ApiServer, Arg, NodeRegistration, Timeouts } from "capz-types";
import { auditBootstrap, type AuditArgs } from "./audit";
import { authenticationBootstrap, type Authentication } from "./authentication";
import { deviceOfLun, lazyExt4 } from "./dataDisks";
import { linuxEgress } from "./egress";
import { encryptionBootstrap, type EncryptionSettings } from "./encryption";
import { azureJsonFile, validateSpec, commandField } from "./files";
import { nodeNameTemplate } from "./jinja";
import { kubeletArguments } from "./kubelet";
import { kubeletPatch, servingFields } from "./kubeletConfig";
import { type NodePlatform, linuxAzureJson, linuxPatches } from "./linux";
import { ownApiServer } from "./ownApiServer";
import { linuxNodeMtu } from "./mtu";
import { podSecurityBootstrap } from "./podSecurity";
import { clusterCa } from "capz-windows-platform/cluster/kubeletCertificates";
import type { PodSecurity } from "capz-windows-platform/cluster/podSecurity";
import { type Platform, allocatesNodeRanges, featureGates } from "capz-windows-platform/cluster/platform";
import { imageRepositories } from "./registry";
import { linuxSshKeys } from "./sshKeys";
import { present } from "capz-windows-kit/present";

export interface ControlPlaneBootstrapArgs extends NodePlatform {
  readonly clusterName: string;
  /** Secret with azure.json: `<AzureMachineTemplate>-azure-json`. It changes with the template's name. */
  readonly azureJsonSecret: string;
  /** The audit log of the API server. Default: none. */
  readonly audit?: AuditArgs | undefined;
  /** What is encrypted in etcd. Default: nothing. */
  readonly encryption?: EncryptionSettings | undefined;
  /** Host of an API server behind an internal load balancer. Default: it has a public address. */
  readonly privateApiServerHost?: string | undefined;
  /** Login with tokens. Default: none. */
  readonly authentication?: Authentication | undefined;
  /** Pod Security of namespaces without labels. Default: none. */
  readonly podSecurity?: PodSecurity | undefined;
  /** Whether the API server verifies the serving certificates of kubelets by the cluster's CA. Default: false. */
  readonly verifiesKubelets?: boolean | undefined;
}

const etcdDevice = deviceOfLun(0);

const etcdMount = "/var/lib/etcddisk";

/** Quota of the etcd database: 8 GiB, the maximum that etcd recommends. */
const etcdQuotaBytes = 8 * 1024 ** 3;

/** Arguments that enable the in-tree cloud provider in a static pod, and the mount of the file that it reads. */
function inTreeProvider({ cloudProvider }: Platform): {
  readonly args: readonly Arg[];
  readonly volumes: NonNullable<ApiServer["extraVolumes"]>;
} {
  return cloudProvider === "external"
    ? { args: [], volumes: [] }
    : {
        args: [
          { name: "cloud-config", value: linuxAzureJson },
          { name: "cloud-provider", value: "azure" },
        ],
        volumes: [
          { name: "cloud-config", hostPath: linuxAzureJson, mountPath: linuxAzureJson, readOnly: true },
        ],
      };
}

/** The field with the volumes of a static pod. Cluster API rejects empty lists. */
const volumeField = (volumes: NonNullable<ApiServer["extraVolumes"]>): Pick<ApiServer, "extraVolumes"> =>
  volumes.length === 0 ? {} : { extraVolumes: volumes };

/**
 * Bootstrap data of the control plane, with etcd on a separate disk and the in-tree or external cloud provider. The
 * values are those of CAPZ's machine pool templates for Windows (v1.27.0; v1.3.2 for the in-tree provider and
 * Flannel), converted to bootstrap v1beta2.
 *
 * @throws ConfigError if a value exceeds Cluster API's limits
 */
export function controlPlaneKubeadmConfigSpec(args: ControlPlaneBootstrapArgs): KubeadmConfigSpec {
  const { platform, kubernetesVersion } = args;
  const inTree = inTreeProvider(platform);
  const audit = auditBootstrap(args.audit, kubernetesVersion);
  const encryption = encryptionBootstrap(args.encryption, args.clusterName, args.egress?.proxy);
  const login = authenticationBootstrap(args.authentication, kubernetesVersion);
  const podSecurity = podSecurityBootstrap(args.podSecurity);
  const gates = (component: "kube-apiserver" | "kube-controller-manager") => {
    const value = featureGates(component, platform, kubernetesVersion);
    return value === "" ? [] : [{ name: "feature-gates", value }];
  };
  const own = ownApiServer(args.privateApiServerHost);
  const mtu = linuxNodeMtu(platform, args.mtu);
  const egress = linuxEgress(args.egress);
  const ssh = linuxSshKeys(args.additionalSshPublicKeys);
  const { files: patchFiles, join: patches } = kubeletPatch(
    linuxPatches,
    servingFields(args.servingCertificate),
  );
  const nodeRegistration: NodeRegistration = {
    name: nodeNameTemplate,
    kubeletExtraArgs: kubeletArguments({ ...args, os: "linux", azureJson: linuxAzureJson }),
  };
  // The webhook requires the same value for init and join. 20 minutes allow for a machine that is still booting.
  const timeouts: Timeouts = { controlPlaneComponentHealthCheckSeconds: 1200 };
  return validateSpec({
    clusterConfiguration: {
      ...imageRepositories(kubernetesVersion),
      apiServer: {
        extraArgs: present(
          ...podSecurity.args,
          ...audit.args,
          ...login.args,
          ...inTree.args,
          ...encryption.args,
          ...gates("kube-apiserver"),
          args.verifiesKubelets === true && { name: "kubelet-certificate-authority", value: clusterCa },
          { name: "service-account-issuer", value: "https://kubernetes.default.svc.cluster.local" },
        ),
        ...volumeField([
          ...audit.volumes,
          ...login.volumes,
          ...inTree.volumes,
          ...encryption.volumes,
          ...podSecurity.volumes,
        ]),
      },
      controllerManager: {
        extraArgs: present(
          { name: "allocate-node-cidrs", value: String(allocatesNodeRanges(platform)) },
          ...(platform.cloudProvider === "external"
            ? [{ name: "cloud-provider", value: "external" }]
            : inTree.args),
          { name: "cluster-name", value: args.clusterName },
          // Pod traffic is encapsulated, so it needs no routes in Azure.
          platform.cloudProvider !== "external" && { name: "configure-cloud-routes", value: "false" },
          ...gates("kube-controller-manager"),
        ),
        ...volumeField(inTree.volumes),
      },
      etcd: {
        local: {
          dataDir: `${etcdMount}/etcd`,
          extraArgs: [{ name: "quota-backend-bytes", value: String(etcdQuotaBytes) }],
        },
      },
    },
    initConfiguration: { nodeRegistration, ...patches, timeouts },
    joinConfiguration: { nodeRegistration, ...patches, timeouts },
    diskSetup: {
      partitions: [{ device: etcdDevice, layout: true, overwrite: false, tableType: "gpt" }],
      filesystems: [
        {
          device: etcdDevice,
          filesystem: "ext4",
          label: "etcd_disk",
          extraOpts: lazyExt4,
        },
        { device: "ephemeral0.1", filesystem: "ext4", label: "ephemeral0", replaceFS: "ntfs" },
      ],
    },
    mounts: [["LABEL=etcd_disk", etcdMount]],
    files: [
      azureJsonFile(linuxAzureJson, args.azureJsonSecret, "control-plane-azure.json"),
      ...mtu.files,
      ...egress.files,
      ...ssh.files,
      ...audit.files,
      ...encryption.files,
      ...login.files,
      ...podSecurity.files,
      ...patchFiles,
    ],
    ...commandField(
      "preKubeadmCommands",
      ssh.preKubeadmCommands,
      mtu.preKubeadmCommands,
      egress.preKubeadmCommands,
      encryption.preKubeadmCommands,
      own.preKubeadmCommands,
    ),
    ...commandField("postKubeadmCommands", own.postKubeadmCommands, mtu.postKubeadmCommands),
    // Of kubeadm's log, as in CAPZ's templates.
    verbosity: 10,
  });
}
