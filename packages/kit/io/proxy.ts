import { BlockList, isIP } from "node:net";

/** The proxy of the environment, by the variables that curl and programs in Go read. */

type Environment = Readonly<Record<string, string | undefined>>;

const variable = (env: Environment, name: string): string =>
  env[name.toLowerCase()] ?? env[name.toUpperCase()] ?? "";

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").toLowerCase();

/** Whether a host is an address in a network such as 10.0.0.0/8. */
function isInNetwork(host: string, network: string): boolean {
  const [address = "", prefix = ""] = network.split("/");
  const [own, other] = [isIP(host), isIP(address)];
  if (own === 0 || other === 0 || !/^\d+$/.test(prefix) || Number(prefix) > (other === 6 ? 128 : 32)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), other === 6 ? "ipv6" : "ipv4");
  return list.check(host, own === 6 ? "ipv6" : "ipv4");
}

/** Whether an entry of NO_PROXY is about a host: a name with those below it, an address, a network, or all. */
function isExcluded(url: URL, entry: string): boolean {
  const [, name = "", port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  const host = hostOf(url);
  const ownPort = url.port || (url.protocol === "https:" ? "443" : "80");
  return (
    entry === "*" ||
    isInNetwork(host, entry) ||
    host === entry ||
    (name !== "" && (host === name || host.endsWith(`.${name}`)) && (port === undefined || port === ownPort))
  );
}

/** The proxy for a URL; none for this machine, and for what NO_PROXY names. */
export function proxyFor(url: URL, env: Environment = process.env): URL | undefined {
  const proxy = variable(env, url.protocol === "https:" ? "https_proxy" : "http_proxy");
  const host = hostOf(url);
  const isLocal = host === "localhost" || isInNetwork(host, "127.0.0.0/8") || host === "::1";
  const excluded = variable(env, "no_proxy")
    .split(/[\s,]+/)
    .filter((entry) => entry !== "");
  return proxy === "" || isLocal || excluded.some((entry) => isExcluded(url, entry))
    ? undefined
    : proxyUrl(proxy.includes("://") ? proxy : `http://${proxy}`);
}

/** The variable may have a password, so no message quotes it. */
function proxyUrl(text: string): URL {
  const isUsable = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isUsable || /%(?![0-9a-f]{2})/i.test(text)) {
    throw new Error("the proxy of the environment is not a URL of http or https");
  }
  return new URL(text);
}
