import { withoutUndefined } from "../../../tools/without";
import { noProxy, type DirectTargets } from "../../../platform/network/noProxy";
import { at, list, text, type Plain } from "../../../tools/untyped";

/** Proxy, registry mirror and certificate authorities: a source has them as files of its nodes, a stack file as keys. */

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesOf(files: readonly Plain[]): string[] {
  return files
    .filter(({ path }) => /^\/usr\/local\/share\/ca-certificates\/[^/]+\.crt$/.test(text(path)))
    .flatMap(({ content }) => [...text(content).matchAll(pem)].map(([certificate]) => `${certificate}\n`));
}

/** The proxy; `undefined` also if its URL has credentials, because secrets are not copied. */
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

/** The mirror in containerd's hosts.toml files; `undefined` if they do not all name the same one. */
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
  return withoutUndefined({
    url: base.replace("/v2/", "/").replace(/\/$/, ""),
    paths: Object.keys(paths).length === 0 ? undefined : paths,
    fallback: first.fallback ? true : undefined,
  });
}

/** @param spec - bootstrap data of the control plane; all nodes are taken to have the same settings */
export function egressKeys(spec: unknown, targets: DirectTargets): Plain {
  const files = list(at(spec, "files"));
  const certificates = certificatesOf(files);
  return {
    proxy: proxyOf(files, targets),
    registryMirror: mirrorOf(files),
    trustedCertificates: certificates.length === 0 ? undefined : certificates,
  };
}
