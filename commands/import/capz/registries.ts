import { fileLimits, yamlValues } from "../../../tools/boundedYaml";
import { loginServers } from "../../../platform/azure/containerRegistries";
import { list, strings, text, type Plain } from "../../../tools/untyped";
import { substitute, type Variables } from "../variables";

/** Azure container registries from which kubelet pulls with the identity of its machine. */

/** Matches the path of the file that configures kubelet's credential providers. */
const credentialFile = /(^|[/\\])credential-provider[^/\\]*\.ya?ml$/i;

function hostsOf(content: string): string[] {
  try {
    const found: unknown = yamlValues(content, fileLimits)[0];
    return list((found as Plain | null)?.providers).flatMap(({ matchImages }) => strings(matchImages));
  } catch {
    // Without valid YAML there are no registries to find.
    return [];
  }
}

/** Names of the registries in a file; none if the file also matches other hosts, such as every registry of Azure. */
export function registriesIn(files: readonly Plain[]): string[] {
  const hosts = files
    .filter(({ path }) => credentialFile.test(text(path)))
    .flatMap(({ content }) => hostsOf(text(content)));
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
