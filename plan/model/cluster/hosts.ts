import { imagesOfOperator } from "../../../addons/calicoImages";
import type { KubernetesObject } from "capz-types";
import { imagesOfPods } from "../../../config/policy/images";
import { staticPodsOf } from "capz-windows-platform/manifests/staticPods";
import {
  azureHosts,
  hostsOfImages,
  hostsOfProviders,
  isRegistry,
  type HostsModel,
} from "capz-windows-platform/company-network/hosts";
import { targetOf } from "capz-windows-platform/company-network/noProxy";
import { at, textAt } from "capz-windows-kit/untyped";
import { isRelease } from "../resourceTypes";
import { dataStreams } from "../workloadStreams";
import { ofType, type PlanResources } from "./resources";
import type { ClusterModel } from "./types";

/** Which hosts on the Internet are reached, by whom, from the resources of a plan. */

type Os = "linux" | "windows";

const isOnWindows = (object: unknown): boolean =>
  [at(object, "spec", "template", "spec"), at(object, "spec")].some(
    (spec) => textAt(spec, "nodeSelector", "kubernetes.io/os") === "windows",
  );

/** Images by the operating system of the nodes that pull them. */
function imagesOfMachines(resources: PlanResources): Record<Os, string[]> {
  const found: Record<Os, string[]> = { linux: [], windows: [] };
  const add = (image: string, os: Os): number => found[os].push(image);
  for (const { text, objects } of ofType(resources, "ConfigMap").flatMap(dataStreams)) {
    for (const object of objects) {
      imagesOfPods(object).forEach(({ image }) => add(image, isOnWindows(object) ? "windows" : "linux"));
    }
    imagesOfOperator(text, objects).forEach((image) =>
      add(image, image.includes("-windows") ? "windows" : "linux"),
    );
  }
  for (const { inputs } of ofType(resources, "KubeadmControlPlane")) {
    staticPodsOf(inputs as unknown as KubernetesObject)
      .flatMap((pod) => imagesOfPods(pod))
      .forEach(({ image }) => add(image, "linux"));
    // Of kubeadm: the API server and all that stands beside it, kube-proxy and CoreDNS.
    const configuration = at(inputs, "spec", "kubeadmConfigSpec", "clusterConfiguration");
    add(`${textAt(configuration, "imageRepository") || "registry.k8s.io"}/kube-proxy`, "linux");
  }
  return found;
}

/** Hosts that files and commands of machines name, such as issuers of tokens, key vaults and what your commands download. */
const hostsInBootstrap = (resources: PlanResources): string[] =>
  ofType(resources, "KubeadmControlPlane", "KubeadmConfig", "KubeadmConfigTemplate")
    .flatMap(({ inputs }) => [...JSON.stringify(inputs).matchAll(/https:\/\/([A-Za-z][\w-]*(?:\.[\w-]+)+)/g)])
    .map(([, host = ""]) => host)
    .filter((host) => !host.endsWith(".local") && !isRegistry(host));

const sorted = (hosts: readonly string[]): string[] => [...new Set(hosts)].sort();

const row = (who: string, why: string, hosts: readonly string[], port = 443): HostsModel[] =>
  hosts.length === 0 ? [] : [{ who, why, port, hosts: sorted(hosts) }];

/** `https://mirror.example.com:8443/path` as a host and a port. */
function addressOf(url: string): readonly [host: string, port: number] {
  const { host, port } = targetOf(url) ?? { host: "unknown", port: 443 };
  return [host, port];
}

/**
 * Windows has a few roots, and fetches each other one when it is first needed: of registries, for instance
 * (learn.microsoft.com/windows-server/identity/ad-cs/configure-trusted-roots-disallowed-certificates; AKS, outbound-rules).
 */
const rootCertificates = "root certificates of Windows";

/** The proxy, a mirror, and registries unless the mirror takes their place. */
function toImages(who: string, images: readonly string[], { egress }: Model["network"]): HostsModel[] {
  const { proxy, registryMirror, fallback = false } = egress ?? {};
  const one = (url: string | undefined, why: string): HostsModel[] => {
    const [host, port] = addressOf(url ?? "");
    return url === undefined ? [] : row(who, why, [host], port);
  };
  const isMirrored = registryMirror !== undefined && !fallback;
  return [
    ...one(proxy, "proxy, which lets them reach the rest"),
    ...one(registryMirror, "images"),
    ...(isMirrored ? [] : row(who, "images", hostsOfImages(images))),
  ];
}

function ofMachines(resources: PlanResources, { pools, network, controlPlane }: Model): HostsModel[] {
  if (controlPlane === undefined) {
    return [];
  }
  const images = imagesOfMachines(resources);
  const { registryMirror, proxy } = network.egress ?? {};
  const known = [...azureHosts, addressOf(registryMirror ?? "")[0], addressOf(proxy ?? "")[0]];
  const named = hostsInBootstrap(resources).filter((host) => !known.includes(host));
  const [linux, windows] = ["Linux machines", "Windows nodes"];
  const ofLinux = [
    ...toImages(linux, images.linux, network),
    ...row(linux, "Azure's API: cloud provider, disks, logins", azureHosts),
    ...row(linux, "named in their files and commands", named),
  ];
  if (pools.every(({ os }) => os !== "windows")) {
    return ofLinux;
  }
  return [
    ...ofLinux,
    ...toImages(windows, images.windows, network),
    ...row(windows, "Azure's API: disks, logins", azureHosts),
    ...row(windows, "activation of Windows", ["azkms.core.windows.net"], 1688),
    ...row(windows, rootCertificates, ["ctldl.windowsupdate.com"], 80),
  ];
}

function ofManagement(resources: PlanResources, { apiServer, management }: Model): HostsModel[] {
  const who = "management cluster";
  const kinds = [
    ...resources.filter(isRelease).map(({ inputs }) => textAt(inputs, "name")),
    ...ofType(resources, "CoreProvider", "InfrastructureProvider").map(({ inputs }) =>
      textAt(inputs, "kind"),
    ),
  ];
  return [
    ...(apiServer.host === ""
      ? []
      : row(who, "API server of this cluster", [apiServer.host], apiServer.port)),
    ...row(who, "Azure's API: CAPZ", azureHosts),
    ...row(who, "Cluster API: images and manifests", hostsOfProviders(kinds)),
    ...(management.aks === undefined
      ? []
      : row(who, "AKS: the FQDN tag of Azure Firewall, and its list in learn.microsoft.com", [
          "AzureKubernetesService",
        ])),
  ];
}

type Model = Pick<ClusterModel, "apiServer" | "management" | "network" | "pools"> & {
  readonly controlPlane: ClusterModel["controlPlane"] | undefined;
};

export const readHosts = (resources: PlanResources, model: Model): HostsModel[] => [
  ...ofMachines(resources, model),
  ...ofManagement(resources, model),
];
