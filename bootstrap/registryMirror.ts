/** A registry that has the images of others: a pull-through cache such as Harbor, Artifactory or ACR's cache rules. */
export interface RegistryMirror {
  /** Address of the mirror, https, with the path below which it has the other registries: https://mirror.example.com/cache */
  readonly url: string;
  /** Path of a registry below `url`, where it is not the registry's name. Further registries that are mirrored, too. */
  readonly paths?: Readonly<Record<string, string>> | undefined;
  /** Whether nodes ask the registry itself for what the mirror does not have. Default: false. */
  readonly fallback?: boolean | undefined;
}

/** Registries of the images that the program installs; a test compares them with the images of all plans. */
export const programRegistries: readonly string[] = [
  "docker.io",
  "ghcr.io",
  "mcr.microsoft.com",
  "quay.io",
  "registry.k8s.io",
];

/** The host that serves a registry: Docker Hub's has another name. */
const serverOf = (registry: string): string => (registry === "docker.io" ? "registry-1.docker.io" : registry);

/** The registries that a mirror stands in for, sorted. */
export const mirroredRegistries = ({ paths = {} }: RegistryMirror): string[] =>
  [...new Set([...programRegistries, ...Object.keys(paths)])].sort();

/** Address of the mirror's API for the images of one registry. */
export function mirrorApi({ url, paths = {} }: RegistryMirror, registry: string): string {
  const { origin, pathname } = new URL(url);
  return [origin, "v2", ...`${pathname}/${paths[registry] ?? registry}`.split("/").filter(Boolean)].join("/");
}

/**
 * containerd's hosts.toml for one registry (containerd docs/hosts.md). The address has the path of the API in it, hence
 * `override_path`. `server` is asked last: without fallback that is the mirror, too.
 */
export function hostsToml(mirror: RegistryMirror, registry: string): string {
  const api = JSON.stringify(mirrorApi(mirror, registry));
  return mirror.fallback === true
    ? [
        `server = ${JSON.stringify(`https://${serverOf(registry)}`)}`,
        "",
        `[host.${api}]`,
        '  capabilities = ["pull", "resolve"]',
        "  override_path = true",
        "",
      ].join("\n")
    : [`server = ${api}`, 'capabilities = ["pull", "resolve"]', "override_path = true", ""].join("\n");
}

/** Name of a registry's folder, as containerd looks for it: a port follows an underscore, and another one ends it. */
export const hostsFolder = (registry: string): string => registry.replace(/:(\d+)$/, "_$1_");
