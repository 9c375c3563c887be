import { linuxSshKeys } from "../../../bootstrap/sshKeys";
import { loginServers } from "capz-windows-platform/azure/containerRegistries";
import { keyOnly } from "capz-windows-platform/machines/sshKey";
import { noProxy, type DirectTargets } from "capz-windows-platform/company-network/noProxy";
import { at, list, strings, text, type Plain } from "capz-windows-kit/untyped";
import { withoutUndefined } from "capz-windows-kit/without";
import { unlessEmpty, unlessNone } from "../findings";
import { publicKeyOf, yamlIn } from "../values";
import { substitute, type Variables } from "../variables";
import { machineOf, nodeOf, type ClusterObjects } from "./roles";

/** What a source has as files of its nodes, and a stack file as keys: proxy, mirror, certificates, registries, SSH keys. */

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The proxy; `undefined` also if its URL has credentials, because secrets are not copied. */
function proxyOf(files: readonly Plain[], targets: DirectTargets): Plain | undefined {
  const content = text(files.find(({ path }) => text(path).endsWith("/http-proxy.conf"))?.content);
  const variable = (name: string): string =>
    new RegExp(`${name}=([^"\\n]*)`, "i").exec(content)?.[1]?.trim() ?? "";
  const url = variable("HTTPS?_PROXY");
  const known = ["", ...noProxy(targets)];
  const more = variable("NO_PROXY")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => !known.includes(one));
  return /^http:\/\/[^@/]+$/.test(url) ? withoutUndefined({ url, noProxy: unlessNone(more) }) : undefined;
}

/** The mirror in containerd's hosts.toml files; `undefined` if they do not all name the same one. */
function mirrorOf(files: readonly Plain[]): Plain | undefined {
  const hosts = files.flatMap(({ path, content }) => {
    const folder = /^\/etc\/containerd\/certs\.d\/([^/]+)\/hosts\.toml$/.exec(text(path))?.[1];
    const api = /\[host\."([^"]+)"\]/.exec(text(content)) ?? /server\s*=\s*"([^"]+)"/.exec(text(content));
    return folder === undefined || api?.[1] === undefined
      ? []
      : [
          {
            registry: folder.replace(/_(\d+)_$/, ":$1"),
            api: api[1],
            fallback: text(content).includes("[host."),
          },
        ];
  });
  const first = hosts.find(({ api, registry }) => api.endsWith(`/${registry}`));
  const base = first?.api.slice(0, -first.registry.length) ?? "";
  if (!/^https:\/\/[^/]+\/v2\//.test(base) || !hosts.every(({ api }) => api.startsWith(base))) {
    return undefined;
  }
  const paths = hosts
    .map(({ registry, api }) => [registry, api.slice(base.length)] as const)
    .filter(([registry, path]) => path !== registry);
  return withoutUndefined({
    url: base.replace("/v2/", "/").replace(/\/$/, ""),
    paths: unlessEmpty(Object.fromEntries(paths)),
    fallback: first?.fallback === true ? true : undefined,
  });
}

/** @param spec - bootstrap data of the control plane; all nodes are taken to have the same settings */
export function egressKeys(spec: unknown, targets: DirectTargets): Plain {
  const files = list(at(spec, "files"));
  const certificates = files
    .filter(({ path }) => /^\/usr\/local\/share\/ca-certificates\/[^/]+\.crt$/.test(text(path)))
    .flatMap(({ content }) => [...text(content).matchAll(pem)].map(([certificate]) => `${certificate}\n`));
  return {
    proxy: proxyOf(files, targets),
    registryMirror: mirrorOf(files),
    trustedCertificates: unlessNone(certificates),
  };
}

/**
 * Names of the Azure registries from which kubelet pulls with the identity of its machine, in the configuration of its credential
 * providers; none if that also matches other hosts, such as every registry of Azure.
 */
export function registriesIn(files: readonly Plain[]): string[] {
  const hosts = files
    .filter(({ path }) => /(^|[/\\])credential-provider[^/\\]*\.ya?ml$/i.test(text(path)))
    .flatMap(({ content }) => list(at(yamlIn(text(content)), "providers")))
    .flatMap(({ matchImages }) => strings(matchImages));
  const names = hosts.flatMap((host) => /^([a-z0-9]{5,50})\.azurecr\.io$/.exec(host)?.[1] ?? []);
  const known = new Set(names.flatMap(loginServers));
  return hosts.every((host) => known.has(host)) ? [...new Set(names)] : [];
}

/**
 * ARM IDs of registries. Nodes have only their names, so the resource group is a variable; if it has no value, the user
 * is asked for it.
 */
export const registryIds = (
  names: readonly string[],
  subscriptionId: string,
  variables: Variables,
): string[] =>
  names.map((name) =>
    substitute(
      `/subscriptions/${subscriptionId}/resourceGroups/\${RESOURCE_GROUP_OF_${name.toUpperCase()}}/providers/Microsoft.ContainerRegistry/registries/${name}`,
      variables,
    ),
  );

const ownKeys = linuxSshKeys(["ssh-ed25519 AAAA"]).files[0]?.path;

/**
 * SSH keys of people: of machines, of users in bootstrap data, and in the file that a stack writes.
 * @returns access.sshPublicKey and, where there are more keys, access.additionalSshPublicKeys
 */
export function sshKeys({ controlPlane, controlPlaneMachines, pools }: ClusterObjects): Plain {
  // Only one key is taken from machines, and none from Windows machines: CAPZ's webhook adds random keys to those that have none.
  const linux = pools.filter(({ os }) => os === "linux").map(({ machines }) => machines);
  const ofMachine = [controlPlaneMachines, ...linux]
    .map((machines) => machineOf(machines).sshPublicKey)
    .find((key) => key !== undefined);
  const nodes = [controlPlane.spec.kubeadmConfigSpec, ...pools.map(({ bootstrap }) => nodeOf(bootstrap))];
  const ofUsers = nodes
    .flatMap((node) => list(at(node, "users")))
    .flatMap((user) => strings(at(user, "sshAuthorizedKeys")));
  const inFiles = nodes
    .flatMap((node) => list(at(node, "files")))
    .filter(({ path }) => path === ownKeys)
    .flatMap(({ content }) => text(content).split("\n"));
  const found = [ofMachine, ...ofUsers, ...inFiles].flatMap((key) => publicKeyOf(key) ?? []);
  const [sshPublicKey, ...more] = found.filter(
    (key, index) => found.findIndex((other) => keyOnly(other) === keyOnly(key)) === index,
  );
  return withoutUndefined({ sshPublicKey, additionalSshPublicKeys: unlessNone(more) });
}
