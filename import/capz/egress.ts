import { linuxEgress, windowsEgress } from "../../domain/bootstrap/egress";
import { noProxy, type DirectTargets } from "../../domain/network/noProxy";
import { list, text } from "../../domain/untyped";
import { present } from "./machines";

/** Proxy, mirror and certificate authorities, which a source has as files of its nodes and a stack file as keys. */

type Plain = Record<string, unknown>;

export interface Egress {
  readonly keys: Plain;
  readonly own: Own;
}

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesOf(files: readonly Plain[]): string[] {
  return files
    .filter(({ path }) => /^\/usr\/local\/share\/ca-certificates\/[^/]+\.crt$/.test(text(path)))
    .flatMap(({ content }) => [...text(content).matchAll(pem)].map(([certificate]) => `${certificate}\n`));
}

/** A proxy with a user and a password in its address is a secret, which is not copied. */
function proxyOf(files: readonly Plain[], targets: DirectTargets): Plain | undefined {
  const content = text(files.find(({ path }) => text(path).endsWith("/http-proxy.conf"))?.content);
  const variable = (name: string): string =>
    new RegExp(`${name}=([^"\\n]*)`, "i").exec(content)?.[1]?.trim() ?? "";
  const url = variable("HTTPS?_PROXY");
  const known = noProxy(targets);
  const more = variable("NO_PROXY")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !known.includes(one));
  return /^http:\/\/[^@/]+$/.test(url) ? { url, ...(more.length === 0 ? {} : { noProxy: more }) } : undefined;
}

/** The mirror of which all files of containerd speak; `undefined` where they are not of one mirror. */
function mirrorOf(files: readonly Plain[]): Plain | undefined {
  const hosts = files.flatMap(({ path, content }) => {
    const registry = /^\/etc\/containerd\/certs\.d\/([^/]+)\/hosts\.toml$/.exec(text(path))?.[1];
    const api = /\[host\."([^"]+)"\]/.exec(text(content)) ?? /server\s*=\s*"([^"]+)"/.exec(text(content));
    return registry === undefined || api?.[1] === undefined
      ? []
      : [
          {
            registry: registry.replace(/_(\d+)_$/, ":$1"),
            api: api[1],
            fallback: text(content).includes("[host."),
          },
        ];
  });
  const [first] = hosts.filter(({ api, registry }) => api.endsWith(`/${registry}`));
  if (first === undefined || !/^https:\/\/[^/]+\/v2(\/|$)/.test(first.api)) {
    return undefined;
  }
  const base = first.api.slice(0, -first.registry.length);
  if (!hosts.every(({ api }) => api.startsWith(base))) {
    return undefined;
  }
  const paths = Object.fromEntries(
    hosts
      .map(({ registry, api }) => [registry, api.slice(base.length)] as const)
      .filter(([registry, path]) => path !== registry),
  );
  return present({
    url: base.replace("/v2/", "/").replace(/\/$/, ""),
    paths: Object.keys(paths).length === 0 ? undefined : paths,
    fallback: first.fallback ? true : undefined,
  });
}

/** @param spec - bootstrap data of the control plane, which speaks for all nodes */
export function egressOf(spec: Plain, targets: DirectTargets): Egress {
  const files = list(spec.files);
  const certificates = certificatesOf(files);
  const proxy = proxyOf(files, targets);
  const mirror = mirrorOf(files);
  const node = {
    ...(proxy === undefined ? {} : { proxy: { url: text(proxy.url), noProxy: [] } }),
    ...(mirror === undefined ? {} : { registryMirror: mirror as { url: string } }),
    trustedCertificates: certificates,
  };
  const made = [linuxEgress(node), windowsEgress(node)];
  return {
    keys: present({
      proxy,
      registryMirror: mirror,
      trustedCertificates: certificates.length === 0 ? undefined : certificates,
    }),
    own: new Set(
      made.flatMap(({ files: own, preKubeadmCommands, postKubeadmCommands }) => [
        ...own.map(({ path }) => path),
        ...preKubeadmCommands,
        ...postKubeadmCommands,
      ]),
    ),
  };
}

/** Paths of files, and commands, that the stack writes for keys of the stack file. */
export type Own = ReadonlySet<string>;

/** Whether a command is the stack's own; that of a proxy has its list of networks in it. */
export const isOwn = (own: Own, entry: string): boolean =>
  own.has(entry) ||
  (entry.includes("set-proxy.ps1 ") && [...own].some((one) => one.startsWith("C:/set-proxy")));
