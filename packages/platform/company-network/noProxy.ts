import { hasAddress, parseCidr } from "../network/addressing";

/** What nodes reach without a proxy, in addition to what the user names. */
export interface DirectTargets {
  readonly vnetCidr: string;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** Azure region in its short form: the API server's public name ends with it. */
  readonly location: string;
}

/**
 * Azure's metadata service and wire server, which answer only on the virtual machine itself, and never through a proxy.
 * Source: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
export const azureHostAddresses: readonly string[] = ["169.254.169.254", "168.63.129.16"];

/**
 * NO_PROXY of a node, in Go's format: names, names of a domain (with a leading dot), addresses and networks. Without
 * the cluster's own networks and names, nodes would ask the proxy for their API server.
 * @param more - entries of the user
 */
export const noProxy = (targets: DirectTargets, more: readonly string[] = []): string[] => [
  ...new Set([
    ...["localhost", "127.0.0.1", ...azureHostAddresses],
    ...[targets.vnetCidr, targets.podCidr, targets.serviceCidr],
    ...[".svc", ".cluster.local", `.${targets.location}.cloudapp.azure.com`],
    ...more,
  ]),
];

/** A host of the user that machines reach, by the URL of a stack file. */
export interface EgressTarget {
  readonly host: string;
  readonly port: number;
  /** Missing where it has a name. */
  readonly address?: string | undefined;
}

/** Nothing for a secret, of which a plan has a placeholder. */
export function targetOf(url: string): EgressTarget | undefined {
  if (!URL.canParse(url)) {
    return undefined;
  }
  const { hostname: host, port, protocol } = new URL(url);
  return {
    ...{ host, port: Number(port) || (protocol === "http:" ? 80 : 443) },
    ...(parseCidr(`${host}/32`) === undefined ? {} : { address: host }),
  };
}

/**
 * Whether NO_PROXY has a host (golang.org/x/net v0.58.0 http/httpproxy/proxy.go): a name stands for what is below it, too, and
 * one with a dot before it for nothing else.
 */
export const isDirect = ({ host, port, address }: EgressTarget, entries: readonly string[]): boolean =>
  entries.some((entry) => {
    const [name = "", ofPort = ""] = entry.toLowerCase().replace(/^\*\./, ".").split(":");
    const dot = name.startsWith(".") ? "" : ".";
    return (
      name === "*" ||
      (["", String(port)].includes(ofPort) &&
        (address === undefined
          ? `${dot}${host}`.endsWith(`${dot}${name}`)
          : parseCidr(name.includes("/") ? name : `${name}/32`) !== undefined &&
            hasAddress(name.includes("/") ? name : `${name}/32`, address)))
    );
  });

/** The proxy, and the mirror unless the proxy leads there. */
export function egressTargets(
  proxy: { readonly url: string; readonly noProxy: readonly string[] } | undefined,
  mirror: { readonly url: string } | undefined,
) {
  const [byProxy, images] = [proxy, mirror].map((one) => one && targetOf(one.url));
  return {
    proxy: byProxy,
    mirror:
      images !== undefined && (proxy === undefined || isDirect(images, proxy.noProxy)) ? images : undefined,
  };
}
