import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { exampleAuthority, exampleServer } from "../support/certificates";
import { besideAks, dockershim, existing, privateOutbound } from "../support/networks";
import { subnetId } from "../support/rightManagement";
import { existingManagement, minimal, otherKey, publicKey } from "../support/stacks";

/**
 * For each rule an invalid config with the path and the problem of its report, and a valid config that barely differs. In
 * rules/, a paragraph is a case: what it is, `-` what is wrong, PATH: PROBLEM, below it ALLOWED or ALLOWED | WRITE where the
 * test is about the whole report, and `+` what is right. `let NAME = TEXT` defines $NAME for a file.
 */
export type Case = readonly [what: string, wrong: object, problem: string, right: object];

/** @param file - its path from this folder */
export function casesOf(file: string): Case[] {
  const [first = "", ...paragraphs] = readFileSync(join(__dirname, file), "utf8").trimEnd().split("\n\n");
  const names = new Map([...first.matchAll(/^let (\w+) = (.*)$/gm)].map(([, name, text]) => [name, text]));
  const config = (line = ""): object => {
    const filled = line.slice(1).replace(/\$\{?(\w+)\}?/g, (all, name: string) => names.get(name) ?? all);
    return parse(`{ ${filled} }`) as object;
  };
  return paragraphs.map((paragraph) => {
    const lines = paragraph.split("\n").filter((line) => !line.startsWith("# "));
    const [what = "", wrong, ...answer] = lines;
    return [what, config(wrong), answer.slice(0, -1).join("\n"), config(answer.at(-1))];
  });
}

const pem = (label: string) =>
  `-----BEGIN ${label}-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49\n-----END ${label}-----\n`;
const keyProblem = (who: string) =>
  `a private key, which is not shown here, and which ${who} could read: it is compromised, so replace it`;
const win1 = (pool: object) => ({ windowsPools: { win1: pool } });
const ownFile = (path: string, content: string) => win1({ files: [{ path, content }] });
const patch = (line: string) =>
  ownFile(
    "C:\\k\\patches\\kubeletconfiguration1+strategic.yaml",
    `apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n${line}\n`,
  );
const extension = (key: string) => ({ name: "Agent", publisher: "Own", version: "1.0", settings: { key } });
const manifest = (data: object) => {
  const metadata = { name: "web", namespace: "default" };
  return { extraManifests: { web: { objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata, data }] } } };
};

const times = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
const labels = (count: number) =>
  win1({ labels: Object.fromEntries(times(count, (index) => [`k${index}`, "v".repeat(63)])) });
const tags = (count: number) => ({ tags: Object.fromEntries(times(count, (index) => [`t${index}`, "x"])) });
const authorized = (count: number) => ({
  management: { kind: "aks", authorizedCidrs: times(count, (index) => `203.0.113.${index}/32`) },
});
const keys = (count: number) => ({
  access: {
    sshPublicKey: publicKey,
    additionalSshPublicKeys: times(count, () => `${otherKey} ${"x".repeat(1800)}`),
  },
});
const auditRules = (count: number) => {
  const rules = times(count, () => ({ level: "Metadata", users: ["x".repeat(50)] }));
  return { controlPlane: { audit: { policy: { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules } } } };
};

const oidc = (...issuers: object[]) => ({ controlPlane: { authentication: { oidc: issuers } } });
const issuer = (certificateAuthority: string) =>
  oidc({ issuerUrl: "https://a.example.com/", audiences: ["kubernetes"], certificateAuthority });
const issuers = (length: number) =>
  oidc(
    ...times(10, (index) => ({
      issuerUrl: `https://i${index}.example.com/`,
      audiences: times(10, (audience) => `${"x".repeat(length)}${audience}`),
      ...{ usernamePrefix: `${index}:`, groupsPrefix: `${index}:` },
    })),
  );

const role = (identity: object) => ({
  azure: {
    ...(minimal().azure as object),
    roles: {
      controllers:
        "/subscriptions/11111111-2222-4333-8444-555555555555/providers/Microsoft.Authorization/roleDefinitions/11111111-2222-4333-8444-777777777777",
    },
  },
  ...existingManagement,
  clusterApi: { install: false, identity },
});
const clientId = "11111111-2222-4333-8444-888888888888";

/** A private API server in a VNET of others, on the management cluster of another stack. */
const client = (peering?: string) => ({
  management: { kind: "stack", stack: "acme/platform/management", ...(peering && { peering }) },
  ...existing({}, { apiServer: { private: true } }),
});
const inVnet = (name: string, more: object = {}) => ({ ...existing({}, {}, name).network, ...more });
const linked = { apiServer: { private: true, privateLink: {} } };

const sample = (internal: boolean) =>
  privateOutbound(
    { type: "none" },
    {
      registryMirror: { url: "https://mirror.example.com", fallback: false },
      ...{ sampleWorkload: { internal }, windowsPools: { win1: {} } },
      access: { sshPublicKey: publicKey, allowedCidrs: ["10.60.0.0/24"] },
    },
  );

/** Those with computed or long values. */
const others: readonly Case[] = [
  [
    "a management cluster that does not find a private API server in a VNET of others",
    client(),
    "network.apiServer.linkedVnetIds: the management cluster cannot resolve test.capz.io: the zone is linked to the cluster's VNET only",
    client("others"),
  ],
  [
    "a peering of a VNET of others",
    client("stack"),
    "management.peering: the VNET of network.existing belongs to others, and so do its peerings",
    client("others"),
  ],
  [
    "a private API server in a VNET of others, and AKS in one of the stack",
    besideAks({ vnetCidr: "10.50.0.0/24" }, inVnet("spoke")),
    "network.apiServer: the stack makes the VNET of the management cluster, and peers nothing with the VNET of network.existing, which belongs to others: the controllers could not reach a private API server",
    besideAks({ subnetId }, inVnet("platform")),
  ],
  [
    "a private link within one VNET",
    besideAks({ subnetId }, inVnet("platform", linked)),
    "network.apiServer.privateLink: both clusters are in one VNET, so the management cluster reaches the API server without it",
    besideAks({ subnetId }, inVnet("spoke", linked)),
  ],
  [
    "no way out and a public sample",
    sample(false),
    "sampleWorkload.internal: the sample has a public load balancer, and its answers would have no way out of the VNET (network.outbound)",
    sample(true),
  ],
  [
    "an audit policy that is too long",
    auditRules(150),
    "controlPlane.audit.policy: the policy has 12,048 characters, without comments",
    auditRules(100),
  ],
  [
    "the certificate of an issuer's server",
    issuer(exampleServer),
    "controlPlane.authentication.oidc[0].certificateAuthority: the certificate of a server, not of a certificate authority: it stops working when the server renews it",
    issuer(exampleAuthority),
  ],
  [
    "two certificates of an issuer",
    issuer(exampleAuthority + exampleServer),
    "controlPlane.authentication.oidc[0].certificateAuthority: 2 certificates in one text; the one that signed the certificate of the issuer is enough",
    issuer(exampleAuthority),
  ],
  [
    "issuers that do not fit into a file",
    issuers(72),
    "controlPlane.authentication: the file with the issuers has 10,338 characters",
    issuers(71),
  ],
  [
    "a role for an identity to which the stack assigns none",
    role({ clientId }),
    "azure.roles.controllers: without clusterApi.identity.principalId, you assign the roles of CAPZ's identity yourself",
    role({ clientId, principalId: clientId }),
  ],
  [
    "a certificate for Docker",
    { ...dockershim, trustedCertificates: [exampleAuthority] },
    "trustedCertificates: the nodes of the flavor dockershim run Docker, for which the program has no such setting",
    { trustedCertificates: [exampleAuthority] },
  ],
  [
    "a text that is no certificate",
    { trustedCertificates: ["hello"] },
    "trustedCertificates[0]: not a certificate in PEM",
    { trustedCertificates: [exampleAuthority] },
  ],
  [
    "a certificate of a server",
    { trustedCertificates: [exampleServer] },
    "trustedCertificates[0]: the certificate of a server, not of a certificate authority: it stops working when the server renews it",
    { trustedCertificates: [exampleAuthority.trim()] },
  ],
  [
    "two certificates in one text",
    { trustedCertificates: [`${exampleAuthority}${exampleServer}`] },
    "trustedCertificates[0]: 2 certificates in one text; nodes read only the first of a file",
    { trustedCertificates: [exampleAuthority.replaceAll("\n", "\r\n")] },
  ],
  [
    "a certificate twice",
    { trustedCertificates: [exampleAuthority, `${exampleAuthority}\n`] },
    "trustedCertificates[1]: the same as trustedCertificates[0]",
    { trustedCertificates: [exampleAuthority] },
  ],
  [
    "a certificate twice, with other line ends",
    { trustedCertificates: [exampleAuthority, exampleAuthority.replaceAll("\n", "\r\n")] },
    "trustedCertificates[1]: the same as trustedCertificates[0]",
    { trustedCertificates: [exampleAuthority] },
  ],
  [
    "a private key",
    { trustedCertificates: [`-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n`] },
    "trustedCertificates[0]: this contains a PRIVATE KEY, which is not shown here; replace the key if it was ever committed",
    { trustedCertificates: [exampleAuthority] },
  ],
  [
    "a private key as the content of a file",
    ownFile("C:/k/own.txt", pem("RSA PRIVATE KEY")),
    `windowsPools.win1.files[0].content: ${keyProblem("every program on the nodes")}`,
    ownFile("C:/k/own.txt", "if ($line -match '-----BEGIN RSA PRIVATE KEY-----') { exit 1 }"),
  ],
  [
    "a private key for all pools",
    {
      poolDefaults: { vmExtensions: [extension(pem("EC PRIVATE KEY"))] },
      windowsPools: { win1: {}, win2: {} },
    },
    `poolDefaults.vmExtensions[0].settings.key: ${keyProblem("anyone who can read the machines in Azure")}`,
    { poolDefaults: { vmExtensions: [extension("none")] } },
  ],
  [
    "a private key for an extension",
    win1({ vmExtensions: [extension(pem("ENCRYPTED PRIVATE KEY"))] }),
    `windowsPools.win1.vmExtensions[0].settings.key: ${keyProblem("anyone who can read the machines in Azure")}`,
    win1({ vmExtensions: [extension("C:/k/key.pem")] }),
  ],
  [
    "a private key in a manifest",
    manifest({ "tls.key": pem("PRIVATE KEY") }),
    `extraManifests.web.objects[0].data["tls.key"]: ${keyProblem("anyone who can read ConfigMaps of the management cluster")}`,
    manifest({ "tls.key": "in the Secret web-tls" }),
  ],
  [
    "a patch of kubelet with taints of its own",
    patch("registerWithTaints: []"),
    "windowsPools.win1.files[0].path: kubeadm replaces the program's list with this one, and without the program's taint the cloud provider never initializes a new node",
    patch("maxPods: 30"),
  ],
  [
    "more labels than fit into an argument",
    labels(20),
    "windowsPools.win1.labels: the labels that kubelet sets have 1349 characters in total",
    labels(15),
  ],
  [
    "ssh keys that are too long together",
    keys(6),
    "access.additionalSshPublicKeys: the keys have 11,554 characters in total",
    keys(5),
  ],
  [
    "more networks than AKS lets in",
    authorized(200),
    "management.authorizedCidrs: 200 networks, and AKS takes at most 200 with the addresses of its own nodes",
    authorized(199),
  ],
  ["more tags than Azure takes", tags(51), "tags: invalid format", tags(50)],
];

export const cases: readonly Case[] = [
  ...readdirSync(join(__dirname, "rules"))
    .sort()
    .flatMap((file) => casesOf(join("rules", file))),
  ...others,
];
