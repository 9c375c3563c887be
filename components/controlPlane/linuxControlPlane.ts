import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import { controlPlaneKubeadmConfigSpec } from "../../bootstrap/controlPlane";
import { parseOverrides } from "../../capi/overrides/overrides";
import { azureJsonSecret } from "capz-windows-platform/cluster/naming";
import { type Flavor, platformOf } from "capz-windows-platform/cluster/platform";
import { defaultControlPlane } from "capz-windows-platform/machines/defaults";
import {
  type ImageChoice,
  capzImage,
  imageText,
  listImagesCommand,
} from "capz-windows-platform/machines/images";
import { azureVnetMtu } from "capz-windows-platform/network/mtu";
import type { AuditArgs } from "../../bootstrap/audit";
import type { AuthenticationArgs } from "../authenticationArgs";
import { childOf, givenOptions, guarded, requireProviders, webhookRetry } from "../childOptions";
import { componentType } from "../componentType";
import type { EgressArgs } from "../egressArgs";
import { EncryptionKeys, type EncryptionArgs } from "./encryptionKeys";
import { healthCheckOptions, type HealthCheckArgs } from "../healthChecks";
import type { MachineDeletionArgs } from "capz-windows-platform/machines/healthChecks";
import type { PodSecurityArgs } from "../podSecurityArgs";
import { machineTimeouts } from "../timeouts";
import { kubeadmControlPlaneObject, machineHealthCheckObject, machineTemplateObject } from "./manifests";
import { pick } from "capz-windows-kit/without";

export interface LinuxControlPlaneArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Namespace of the cluster's objects. Default: clusterName. */
  namespace?: string | undefined;
  /** Azure region in its short form. */
  location: string;
  /** Kubernetes version of the cluster, with leading v. */
  kubernetesVersion: string;
  /** Container runtime of the Windows nodes of the cluster, and with it the CNI. Default: containerd. */
  flavor?: Flavor;
  /** You bring the CNI of the cluster: nothing here is made for Calico. Default: false. */
  ownCni?: boolean | undefined;
  /** Number of machines, odd because etcd needs a majority. Default: 3; 1 is not for production. */
  replicas?: number | undefined;
  /** VM size. Default: Standard_D4s_v5. */
  vmSize?: string | undefined;
  /** Size of the OS disk in GB. Default: 128. */
  osDiskGB?: number | undefined;
  /** Size of etcd's own disk in GB. Default: 256. */
  etcdDiskGB?: number | undefined;
  /** VM image. Default: the reference image of the version in CAPZ's community gallery. */
  image?: ImageChoice | undefined;
  /** OpenSSH public key of the user capi, one line. */
  sshPublicKey: string;
  /** Further SSH public keys of the user capi. Default: none. */
  additionalSshPublicKeys?: string[] | undefined;
  /** ARM id of the identity that the machines carry, for Azure's cloud provider. */
  identityId: string;
  /** MTU of the VNET in bytes. Default: 1400. */
  mtu?: number | undefined;
  /** How the machines reach registries and the Internet. Default: directly. */
  egress?: EgressArgs | undefined;
  /** Azure tags of the machines. Default: none. */
  tags?: Record<string, string> | undefined;
  /** Days before its certificates expire at which a machine is replaced; 0 is never. Default: 30. */
  certificatesExpiryDays?: number | undefined;
  /** Audit log of the API server. Default: none. */
  audit?: AuditArgs | undefined;
  /** Encryption of objects in etcd. Default: none. */
  encryption?: EncryptionArgs | undefined;
  /** Host of an API server without a public address. Default: it has one. */
  privateApiServerHost?: string | undefined;
  /** Login to the API server with tokens of an issuer. Default: none. */
  authentication?: AuthenticationArgs | undefined;
  /** Pod Security of namespaces without labels. Default: only labels count. */
  podSecurity?: PodSecurityArgs | undefined;
  /** Kubelets ask the cluster's CA for their serving certificates, which an approver must approve. Default: false, they sign their own. */
  servingCertificate?: boolean | undefined;
  /** The API server verifies the serving certificates of kubelets by the cluster's CA. Default: false. */
  verifiesKubelets?: boolean | undefined;
  /** When machines are replaced automatically. Default: the defaults of its fields. */
  healthCheck?: HealthCheckArgs | undefined;
  /** What happens before a machine is deleted. Default: a drain without limit. */
  deletion?: MachineDeletionArgs | undefined;
  /** RFC 7386 merge patches of the objects, as JSON by kind: KubeadmControlPlane. Default: none. */
  overrides?: Record<string, string> | undefined;
}

/** The control plane: machine template, KubeadmControlPlane and, from three machines on, a health check. */
export class LinuxControlPlane extends pulumi.ComponentResource {
  /** ID of the KubeadmControlPlane in the state: namespace/name. */
  readonly controlPlaneId: pulumi.Output<string>;
  /** Image of the machines, in one line. */
  readonly image: string;
  /** Command that lists the images of this kind. */
  readonly listImages: string;
  /** Name of the AzureMachineTemplate, which ends with the hash of its content. */
  readonly machineTemplateName: string;

  constructor(name: string, args: LinuxControlPlaneArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("LinuxControlPlane"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "kubernetes");
    const { clusterName, namespace = clusterName, kubernetesVersion, tags = {} } = args;
    const replicas = args.replicas ?? defaultControlPlane.replicas;
    const platform = platformOf(args.flavor ?? "containerd", kubernetesVersion, args.ownCni);
    const overrides = parseOverrides(args.overrides);
    const image = capzImage(args.image, { os: "linux" }, kubernetesVersion);
    const templateObject = machineTemplateObject({
      clusterName,
      namespace,
      vmSize: args.vmSize ?? defaultControlPlane.vmSize,
      osDiskGB: args.osDiskGB ?? defaultControlPlane.osDiskGB,
      etcdDiskGB: args.etcdDiskGB ?? defaultControlPlane.etcdDiskGB,
      image,
      sshPublicKey: args.sshPublicKey,
      identityId: args.identityId,
      tags,
      overrides,
    });
    const retry = webhookRetry(name);
    const template = new apiextensions.CustomResource(`${name}-template`, templateObject, {
      ...childOf(this, opts),
      hooks: retry,
    });
    this.machineTemplateName = templateObject.metadata.name;
    const bootstrap = controlPlaneKubeadmConfigSpec({
      clusterName,
      kubernetesVersion,
      platform,
      mtu: args.mtu ?? azureVnetMtu,
      egress: args.egress,
      additionalSshPublicKeys: args.additionalSshPublicKeys,
      azureJsonSecret: azureJsonSecret(this.machineTemplateName),
      audit: args.audit,
      encryption: args.encryption,
      privateApiServerHost: args.privateApiServerHost,
      authentication: args.authentication,
      podSecurity: args.podSecurity,
      servingCertificate: args.servingCertificate,
      verifiesKubelets: args.verifiesKubelets,
    });
    const { machineTemplateName } = this;
    const hooks = guarded(name, retry);
    const keys =
      args.encryption === undefined
        ? []
        : [
            new EncryptionKeys(
              `${name}-encryption`,
              { ...args.encryption, clusterName, namespace },
              childOf(this, opts),
            ),
          ];
    const controlPlane = new apiextensions.CustomResource(
      `${name}-kubeadm`,
      kubeadmControlPlaneObject({
        ...{ clusterName, namespace, replicas, kubernetesVersion, machineTemplateName, bootstrap },
        certificatesExpiryDays: args.certificatesExpiryDays ?? defaultControlPlane.certificatesExpiryDays,
        deletion: args.deletion,
        overrides,
      }),
      // Depends on the template, so that a changed one is created first and the old one is deleted afterwards; so do keys.
      { ...childOf(this, opts, template, ...keys), customTimeouts: machineTimeouts, hooks },
    );
    const checked = healthCheckOptions(platform, args.healthCheck);
    if (replicas > 1 && checked !== undefined) {
      const healthCheck = machineHealthCheckObject(clusterName, namespace, checked, overrides);
      new apiextensions.CustomResource(`${name}-health-check`, healthCheck, {
        ...childOf(this, opts),
        hooks: retry,
      });
    }
    this.controlPlaneId = controlPlane.id;
    this.image = imageText(image);
    this.listImages = listImagesCommand(image, args.location);
    this.registerOutputs(pick(this, "controlPlaneId", "image", "listImages", "machineTemplateName"));
  }
}
