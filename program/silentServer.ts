import { connect } from "node:net";
import { configLimits, yamlValue } from "capz-windows-kit/boundedYaml";
import { list, textAt } from "capz-windows-kit/untyped";

/** How long a preview waits for an answer. */
const patienceMs = 5000;

interface Server {
  readonly host: string;
  readonly port: number;
}

/** The API server of the current context; undefined if it is behind a proxy or the kubeconfig has none. */
function serverOf(kubeconfig: string): Server | undefined {
  try {
    const config: unknown = yamlValue(kubeconfig, configLimits);
    const named = (section: string, name: string) =>
      list((config as Record<string, unknown> | null)?.[section]).find((entry) => entry.name === name);
    const context = named("contexts", textAt(config, "current-context"));
    const cluster = named("clusters", textAt(context, "context", "cluster"));
    const { protocol, hostname, port } = new URL(textAt(cluster, "cluster", "server"));
    return textAt(cluster, "cluster", "proxy-url") === ""
      ? { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (protocol === "http:" ? 80 : 443)) }
      : undefined;
  } catch {
    // Pulumi's provider says what is wrong with it.
    return undefined;
  }
}

/** Why no connection can be made; undefined if one can. */
const refusalOf = (server: Server, timeout: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ ...server, timeout });
    const end = (reason?: string): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once("connect", () => {
      end();
    });
    socket.once("timeout", () => {
      end(`no answer in ${timeout / 1000} s`);
    });
    socket.once("error", ({ message }) => {
      end(message);
    });
  });

/**
 * A warning for a preview, where nothing can be reached at the address of a kubeconfig. The Kubernetes provider previews
 * without its cluster and says nothing, and the `up` after it stops at the first object, when half of Azure is made.
 */
export async function silentServer(
  kubeconfig: string,
  env: NodeJS.ProcessEnv,
  timeoutMs = patienceMs,
): Promise<string | undefined> {
  const server = serverOf(kubeconfig);
  if (server === undefined || Object.keys(env).some((name) => /^https?_proxy$/i.test(name))) {
    return undefined;
  }
  const reason = await refusalOf(server, timeoutMs);
  return reason === undefined
    ? undefined
    : `The management cluster cannot be reached at ${server.host}:${server.port} (${reason}). This preview does without it; \`pulumi up\` stops there. Look at managementKubeconfig and at the network between.`;
}
