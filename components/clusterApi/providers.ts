import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import { Release } from "@pulumi/kubernetes/helm/v3/release";
import * as pulumi from "@pulumi/pulumi";
import { pinnedVersions, providerPins } from "capz-windows-platform/versions";
import { deletedWithOf, guarded, webhookRetry } from "../childOptions";
import { componentType } from "../componentType";
import { WaitingPatch } from "../waitingPatch";
import { charts, providerInstalledPatch, providerReleases } from "./manifests";

/** Versions of what is installed. Default of each: the one that was tested with the others. */
export interface ProviderVersionsArgs {
  /** cert-manager chart. */
  certManager?: string | undefined;
  /** Cluster API operator chart. */
  operator?: string | undefined;
  /** Core, bootstrap and control plane provider, with leading v. */
  core?: string | undefined;
  /** CAPZ, with leading v. */
  azure?: string | undefined;
}

/** Archives of the charts that were verified, as paths from the working directory on. Default of each: its repository. */
export interface ChartArchivesArgs {
  /** Of cert-manager. */
  certManager?: string | undefined;
  /** Of the Cluster API operator. */
  operator?: string | undefined;
}

export interface ProvidersArgs extends ProviderVersionsArgs {
  /** Otherwise cert-manager must exist. Default: true. */
  installCertManager?: boolean | undefined;
  /** Archives to install the charts from. Default: the repositories of the charts. */
  chartArchives?: ChartArchivesArgs | undefined;
  /** OCI repository with the manifests of the providers, tagged by their versions. Default: their releases on GitHub. */
  componentsRepository?: string | undefined;
  /** Minutes after which CAPZ reconciles every object. Default: 1. */
  syncPeriodMinutes?: number | undefined;
  /** Minutes that a bootstrap token lives, with which a new machine joins. Default: 90. */
  bootstrapTtlMinutes?: number | undefined;
}

/** Time limit of one chart or provider: images are pulled, webhooks get certificates. */
const installTimeouts = { create: "20m", update: "20m", delete: "20m" };

/**
 * cert-manager, the Cluster API operator and the four providers. Each is waited for, because the next one needs its
 * webhooks and CRDs.
 */
export class Providers extends pulumi.ComponentResource {
  constructor(name: string, args: ProvidersArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("ClusterApiProviders"), name, { ...args }, opts);
    const pins = providerPins.containerd;
    const inManagement = deletedWithOf(opts);
    const certManager =
      args.installCertManager === false
        ? []
        : [
            this.release(
              `${name}-cert-manager`,
              charts.certManager,
              args.certManager ?? pinnedVersions.certManager,
              [],
              { crds: { enabled: true } },
              inManagement,
              args.chartArchives?.certManager,
            ),
          ];
    const operator = this.release(
      `${name}-operator`,
      charts.operator,
      args.operator ?? pinnedVersions.clusterApiOperator,
      certManager,
      {
        // Providers are separate resources below: as hooks of the chart, nothing would own or track them.
        enableHelmHook: false,
        // The chart's limit of 300Mi is less than the operator needs for the CRDs of four providers at once.
        resources: { manager: { limits: { memory: "1Gi" } } },
      },
      inManagement,
      args.chartArchives?.operator,
    );

    const hooks = webhookRetry(name);
    const refusing = guarded(name, hooks);
    let before: pulumi.Resource[] = [operator];
    for (const release of providerReleases({
      core: args.core ?? pins.clusterApi,
      azure: args.azure ?? pins.capz,
      componentsRepository: args.componentsRepository,
      syncPeriodMinutes: args.syncPeriodMinutes,
      bootstrapTtlMinutes: args.bootstrapTtlMinutes,
    })) {
      const { role, namespace, object } = release;
      const space = new core.Namespace(
        `${name}-${role}-namespace`,
        { metadata: { name: namespace } },
        { parent: this, ...inManagement, dependsOn: [operator] },
      );
      const provider = new apiextensions.CustomResource(`${name}-${role}`, object, {
        parent: this,
        ...inManagement,
        dependsOn: [space, ...before],
        hooks: refusing,
        // On deletion the operator removes the components.
        customTimeouts: installTimeouts,
      });
      const installed = new WaitingPatch(
        `${name}-${role}-installed`,
        providerInstalledPatch(release),
        provider.id,
        {
          parent: this,
          deletedWith: inManagement.deletedWith ?? provider,
          dependsOn: [provider],
          hooks,
          // The operator downloads and installs the components.
          customTimeouts: installTimeouts,
        },
      );
      // The core provider first, then the others in parallel.
      before = role === "core" ? [installed] : before;
    }
    this.registerOutputs();
  }

  private release(
    name: string,
    { chart, repo, namespace }: { chart: string; repo: string; namespace: string },
    version: string,
    dependsOn: pulumi.Resource[],
    values: Record<string, unknown>,
    inManagement: pulumi.CustomResourceOptions,
    archive: string | undefined,
  ): Release {
    const space = new core.Namespace(
      `${name}-namespace`,
      { metadata: { name: namespace } },
      { parent: this, ...inManagement, dependsOn },
    );
    return new Release(
      name,
      {
        ...{ name: chart, version, namespace, values, timeout: 1200 },
        ...(archive === undefined ? { chart, repositoryOpts: { repo } } : { chart: archive }),
      },
      { parent: this, ...inManagement, dependsOn: [space, ...dependsOn] },
    );
  }
}
