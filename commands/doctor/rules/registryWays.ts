import { once, pull } from "./pullFinders";
import type { Rule } from "./rule";

/** From the nodes to the registries: names and routes. */

export const registryWayRules: readonly Rule[] = [
  {
    id: "registry-certificate-wrong",
    stage: "pods",
    symptom: "x509: certificate has expired; certificate is valid for ..., not ...; any IP SANs",
    cause: "The registry {host} has a certificate that no node accepts: {why}.",
    remedy: [
      "openssl s_client -connect {host}:443 -servername {host} </dev/null | openssl x509 -noout -dates -ext subjectAltName   # until when it is valid, and for which names",
      "Renew it, have it issued for the name by which the image is pulled, or pull by a name that it has.",
      "npm run access -- --stack {stack} --node {node}   # when its dates are right: the clock of the node. Windows: w32tm /resync; Linux: chronyc makestep",
    ],
    source: "Go crypto/x509, CertificateInvalidError and HostnameError",
    find: (world) =>
      once(
        pull(
          /(?:https?:\/\/(?<host>[\w.-]+)[^]*?)?x509: (?<why>certificate has expired or is not yet valid[^]*? is after [\w:.+-]*\w|certificate is (?:not )?valid for [^\n]*?, not [\w.-]*\w|cannot validate certificate for [^\n]*? IP SANs|certificate relies on legacy Common Name[^\n]*|certificate is not valid for any names[^\n]*)/,
        )(world),
      ),
  },
  {
    id: "registry-http",
    stage: "pods",
    symptom: "http: server gave HTTP response to HTTPS client",
    cause: "The registry {host} answers without TLS, and containerd on the nodes asks by https.",
    remedy: [
      "Give the registry a certificate; if your own authority issues it, the nodes trust it by capz-windows:trustedCertificates.",
      "curl -sSI https://{host}/v2/   # 200 or 401: it answers with TLS",
    ],
    source: "Go net/http, transport.go; https://github.com/containerd/containerd/blob/main/docs/hosts.md",
    find: (world) =>
      once(pull(/(?:https?:\/\/(?<host>[\w.:-]+)[^]*?)?server gave HTTP response to HTTPS client/)(world)),
  },
  {
    id: "registry-error",
    stage: "pods",
    symptom: "unexpected status from HEAD request to ...: 500, 502, 503 or 504",
    cause: "The registry {host}, or a proxy before it, fails: it answers {why}.",
    remedy: [
      "curl -sSI https://{host}/v2/   # 200 or 401: it works again, and kubelet repeats the pull within five minutes",
      "capz-windows:registryMirror: {url: https://MIRROR}   # a copy that does not depend on it",
    ],
    source: "containerd, core/remotes/docker/resolver.go",
    find: (world) =>
      once(
        pull(
          /unexpected status (?:code )?(?:from \w+ request to )?(?:https?:\/\/(?<host>[\w.:-]+))?[^\s]*?:? (?<why>5\d\d[ \w]*)/,
        )(world),
      ),
  },
  {
    id: "registry-name",
    stage: "network",
    symptom: "failed to do request: ... dial tcp: lookup ...: no such host",
    cause:
      "The node {node} cannot resolve the name {host}: the DNS servers of its VNET do not answer or do not know the name, a private DNS zone linked to the VNET has no record for it, or only a proxy resolves names of the Internet.",
    remedy: [
      'az network vnet list --resource-group {group} --query "[].{name:name, dns:dhcpOptions.dnsServers}" -o json   # none: Azure\'s own; your own must forward what they do not know to 168.63.129.16',
      "npm run access -- --stack {stack} --node {node}   # then: nslookup {host}; nslookup {host} 168.63.129.16",
      "az network private-dns link vnet list --resource-group GROUP --zone-name ZONE -o table   # for names of private endpoints: privatelink.azurecr.io and the like",
      "capz-windows:proxy: {url: http://PROXY:3128}   # where there is only a proxy",
    ],
    source:
      "https://learn.microsoft.com/azure/virtual-network/virtual-networks-name-resolution-for-vms-and-role-instances; docs/private-networks.md",
    find: (world) =>
      once(
        pull(
          /lookup (?<host>[\w.-]+)(?: on \S+)?: (?:no such host|server misbehaving|i\/o timeout|getaddrinfow|Temporary failure|read udp|dial udp)/,
        )(world),
      ),
  },
  {
    id: "registry-unreachable",
    stage: "network",
    symptom:
      "failed to do request ...: i/o timeout, connection refused, unexpected EOF; failed to get sandbox image: i/o timeout",
    cause:
      "The node {node} cannot reach the registry {host}, or the connection breaks before an image is complete: a firewall, a route or a network rule stops it, or a proxy is missing.",
    remedy: [
      "az network route-table list --resource-group {group} --query \"[].routes[?addressPrefix=='0.0.0.0/0'].{to:nextHopType, by:nextHopIpAddress}\" -o tsv   # a firewall must let the hosts of docs/private-networks.md pass",
      "az network nat gateway list --resource-group {group} -o table   # the nodes' way to the Internet",
      "capz-windows:proxy: {url: http://PROXY:3128}   # where there is only a proxy",
      "capz-windows:registryMirror: {url: https://MIRROR}   # where there is none of them",
    ],
    source: "containerd, internal/cri/server/podsandbox/sandbox_run.go; docs/private-networks.md",
    find: (world) =>
      once(
        pull(
          /(?:(?:Head|Get) "https?:\/\/(?<host>[^/"]+)[^]*?)?(?:i\/o timeout|connection refused|actively refused|connectex|no route to host|TLS handshake timeout|proxyconnect|unexpected EOF|: EOF\b|connection reset|forcibly closed|short read|deadline exceeded)/,
        )(world),
      ),
  },
];
