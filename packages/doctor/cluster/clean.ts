import { hideCredentials } from "capz-windows-kit/credentials";

/**
 * What programs say about tokens and Secrets, and rules read: kubelet v1.36.3 (pkg/volume/secret), containerd v2.2 (remotes/docker),
 * Go 1.26 (net, os), the SMB CSI driver, whose line PowerShell cuts. No credential is in it, though it looks like one.
 */
const harmless = new RegExp(
  [
    String.raw`serviceaccount[\\/]+token: (?:The system cannot find the (?:path|file) specified\.|no such file or directory)`,
    // The file of a token, in any volume, and what is wrong with it.
    String.raw`[\\/]\.\.[\d_]{4,40}(?:\.\d{1,20})?[\\/]+token: (?=(?:[A-Za-z]{2,20}:? ){2}[A-Za-z]{2,20}\b)`,
    String.raw`couldn't find key [\w.-]{1,253} in (?:Secret|ConfigMap) [a-z0-9.-]{1,253}\/[a-z0-9.-]{1,253}`,
    // These words alone: what follows, a sentence, is searched.
    String.raw`failed to (?:fetch|get|create user process) (?:[a-z]{1,20} ){0,3}token: (?=(?:AADSTS\d{1,9}|[A-Za-z]{1,40})[: ]|EOF\b)`,
    String.raw`request to https?:\/\/[\w./:-]{1,253}\/token: (?=\d{3} [A-Z][a-z])`,
    String.raw`\/token\\{0,4}"(?=: (?:(?:dial|read|write) (?:tcp|udp)|proxyconnect|net\/http|http|tls|x509|context|EOF|unexpected EOF|remote error))`,
    String.raw`volume "[a-z0-9.-]{1,253}" : (?:secret "[a-z0-9.-]{1,253}" not found|references non-existent secret key: [\w.-]{1,253})`,
    String.raw`-RemotePath \$Env:smbremotepath -Cred \.\.\.(?=["\\\s]|$)`,
  ].join("|"),
  "g",
);

/**
 * A text without its credentials, as a report shows it and `--save` keeps it.
 * @param name - under which it stands, where that may make it a credential
 */
export function withoutCredentials(value: string, name?: string): string {
  const phrases: string[] = [];
  // Characters of private use: no text of a cluster has them for a reason.
  const marked = value.replace(harmless, (phrase) => `\uE000${phrases.push(phrase) - 1}\uE001`);
  return hideCredentials(marked, name).replace(
    /\uE000(\d+)\uE001/g,
    (_, index: string) => phrases[Number(index)] ?? "",
  );
}
