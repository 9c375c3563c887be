import { present } from "capz-windows-kit/present";
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { certificateText } from "../../bootstrap/egress";
import { limits } from "../../bootstrap/limits";
import { formatCount, type Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";

const key = "trustedCertificates";

/** Why a text is not one certificate of an authority, or nothing. The text is never quoted: it may be a private key. */
export function certificateFault(
  text: string,
  whyOne = "nodes read only the first of a file",
): string | undefined {
  if (text.includes("PRIVATE KEY")) {
    return "this contains a PRIVATE KEY, which is not shown here; replace the key if it was ever committed";
  }
  const count = text.match(/-----BEGIN CERTIFICATE-----/g)?.length ?? 0;
  if (count > 1) {
    return `${count} certificates in one text; ${whyOne}`;
  }
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(text);
  } catch {
    return "not a certificate in PEM";
  }
  if (!certificate.ca) {
    return "the certificate of a server, not of a certificate authority: it stops working when the server renews it";
  }
  return text.trim().length < limits.content
    ? undefined
    : `longer than ${formatCount(limits.content - 1)} characters, which Cluster API does not accept in a file`;
}

function certificateProblems({ trustedCertificates }: Settings): Problem[] {
  const plain = trustedCertificates.map(certificateText);
  return plain.flatMap((text, index): Problem[] => {
    const path = `${key}[${index}]`;
    const fault = certificateFault(text);
    if (fault !== undefined) {
      return [
        {
          path,
          uses: [key],
          problem: fault,
          allowed: "one certificate of a certificate authority, from -----BEGIN CERTIFICATE----- on",
        },
      ];
    }
    return present(
      plain.indexOf(text) !== index && {
        path,
        uses: [key],
        problem: `the same as ${key}[${plain.indexOf(text)}]`,
        allowed: "each certificate once",
      },
    );
  });
}

/**
 * Whether Go matches anything with an entry of NO_PROXY: an address, a network, a name, or a name behind `.` or `*.`, and all but
 * networks with a port (golang.org/x/net v0.58.0 http/httpproxy/proxy.go).
 */
function isMatchable(entry: string): boolean {
  const [address = "", length] = entry.split("/");
  if (length !== undefined) {
    return (
      isIP(address) > 0 && /^\d{1,3}$/.test(length) && Number(length) <= (isIP(address) === 4 ? 32 : 128)
    );
  }
  const host = entry.replace(/:\d{1,5}$/, "");
  const isNumbers = /^[\d.*]+$/.test(host) && host !== "*";
  return (
    isIP(entry) > 0 || isIP(host) > 0 || (!isNumbers && /^(\*|(\*?\.)?[\w-]+(\.[\w-]+)*\.?)$/.test(host))
  );
}

const noProxyProblems = ({ proxy }: Settings): Problem[] =>
  (proxy?.noProxy ?? []).flatMap((entry, index): Problem[] => {
    return present(
      !isMatchable(entry) && {
        path: `proxy.noProxy[${index}]`,
        value: entry,
        uses: ["proxy"],
        problem:
          "containerd and kubelet match nothing with it: nodes would reach these hosts through the proxy",
        allowed: "a host name, .domain, an address, or a network as a CIDR",
      },
    );
  });

/** Docker has no hosts.toml and takes its proxy from elsewhere: the keys would do nothing, or half of it. */
function dockerProblems(settings: Settings): Problem[] {
  const set = {
    proxy: settings.proxy !== undefined,
    registryMirror: settings.registryMirror !== undefined,
    [key]: settings.trustedCertificates.length > 0,
  };
  return settings.flavor === "containerd"
    ? []
    : Object.entries(set)
        .filter(([, isSet]) => isSet)
        .map(([path]) => ({
          path,
          uses: [path, "flavor"],
          problem: "the nodes of the flavor dockershim run Docker, for which the program has no such setting",
          allowed: "this key with the flavor containerd",
        }));
}

/** What nodes could not use to reach registries and the Internet. */
export const egressRules = (settings: Settings): Problem[] => [
  ...certificateProblems(settings),
  ...noProxyProblems(settings),
  ...dockerProblems(settings),
];
