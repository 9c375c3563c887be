import { parse, stringify } from "yaml";
import * as fc from "fast-check";
import {
  ClusterKubeconfigError,
  clusterKubeconfigText,
  parseClusterKubeconfig,
} from "capz-windows-kit/clusterKubeconfig";

const base64 = (what: string): string =>
  Buffer.from(`-----BEGIN ${what}-----\nMIIB\n-----END ${what}-----\n`).toString("base64");

/** As clientcmd.Write of client-go v0.33 writes it for Cluster API. */
const ofClusterApi = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${base64("CERTIFICATE")}
    server: https://dev-1a2b3c4d.westeurope.cloudapp.azure.com:6443
  name: dev
contexts:
- context:
    cluster: dev
    user: dev-admin
  name: dev-admin@dev
current-context: dev-admin@dev
kind: Config
preferences: {}
users:
- name: dev-admin
  user:
    client-certificate-data: ${base64("CERTIFICATE")}
    client-key-data: ${base64("RSA PRIVATE KEY")}
`;

const may =
  "A kubeconfig from a cluster may have one cluster with server and certificate-authority-data, and one user with client-certificate-data, client-key-data or token";

const messageOf = (text: string): string => {
  try {
    parseClusterKubeconfig(text);
    return "accepted";
  } catch (error) {
    expect(error).toBeInstanceOf(ClusterKubeconfigError);
    return (error as Error).message;
  }
};

type Config = Record<"clusters" | "contexts" | "users", Record<string, unknown>[]> & Record<string, unknown>;

/** The kubeconfig of Cluster API after a change. */
function changed(change: (config: Config) => void): string {
  const config = parse(ofClusterApi) as Config;
  change(config);
  return stringify(config, { aliasDuplicateObjects: false });
}

const withUser = (user: object) => changed((config) => (config.users[0]!.user = { token: "t", ...user }));
const withCluster = (cluster: object) =>
  changed((config) => (config.clusters[0]!.cluster = { server: "https://a:6443", ...cluster }));

it("writes what Cluster API writes as the same text, with and without the empty preferences", () => {
  expect(clusterKubeconfigText(ofClusterApi)).toBe(ofClusterApi);
  const newer = ofClusterApi.replace("preferences: {}\n", "");
  expect(clusterKubeconfigText(newer)).toBe(newer);
});

it("reads server, authority, certificate, key and token", () => {
  const { server, certificateAuthorityData, clientCertificateData, clientKeyData, token } =
    parseClusterKubeconfig(
      changed((config) => ((config.users[0]!.user as Record<string, unknown>).token = "abc.def")),
    );
  expect({ server, certificateAuthorityData, clientCertificateData, clientKeyData, token }).toEqual({
    server: "https://dev-1a2b3c4d.westeurope.cloudapp.azure.com:6443",
    certificateAuthorityData: base64("CERTIFICATE"),
    clientCertificateData: base64("CERTIFICATE"),
    clientKeyData: base64("RSA PRIVATE KEY"),
    token: "abc.def",
  });
});

const strangeKeys = [
  ...["exec", "auth-provider", "authProvider", "tokenFile", "client-key", "client-certificate"],
  ...["username", "as", "as-groups"],
].map((key) => [`users[0].user.${key}`, withUser({ [key]: "x" })] as const);

const strangeServers = [
  ...["insecure-skip-tls-verify", "proxy-url", "tls-server-name", "certificate-authority"],
].map((key) => [`clusters[0].cluster.${key}`, withCluster({ [key]: "x" })] as const);

it.each([...strangeKeys, ...strangeServers])("refuses %s", (path, text) => {
  expect(messageOf(text)).toBe(`the kubeconfig is refused: it has ${path}. ${may}`);
});

it.each([
  ["extensions", changed((config) => (config.extensions = [])), "it has extensions"],
  ["preferences", changed((config) => (config.preferences = { colors: true })), "it has preferences.colors"],
  [
    "a namespace",
    changed((config) => ((config.contexts[0]!.context as Record<string, unknown>).namespace = "x")),
    "it has contexts[0].context.namespace",
  ],
  ["two users", changed((config) => config.users.push(config.users[0]!)), "users has not exactly one entry"],
  [
    "two contexts",
    changed((config) => config.contexts.push(config.contexts[0]!)),
    "contexts has not exactly one entry",
  ],
  ["no cluster", changed((config) => (config.clusters = [])), "clusters has not exactly one entry"],
  [
    "a context of another user",
    changed((config) => (config.users[0]!.name = "x")),
    "contexts[0].context does not name its cluster and its user",
  ],
  [
    "another current context",
    changed((config) => (config["current-context"] = "x")),
    "current-context does not name its context",
  ],
  ["no kind", changed((config) => delete config.kind), "it is not of apiVersion v1 and kind Config"],
  ...["http://a:6443", "https://u:p@a:6443", "file:///etc/passwd"].map((server) => [
    server,
    withCluster({ server }),
    "clusters[0].cluster.server is not an https URL with a host and a port",
  ]),
  ["a token of two lines", withUser({ token: "a\nb" }), "users[0].user.token is not a token"],
  ["a token that is no text", withUser({ token: 5 }), "users[0].user.token is not a token"],
  [
    "a key that is no PEM",
    withUser({ "client-key-data": "eA==" }),
    "users[0].user.client-key-data is not PEM in base64",
  ],
  [
    "an authority that is no base64",
    withCluster({ "certificate-authority-data": "-----BEGIN" }),
    "clusters[0].cluster.certificate-authority-data is not PEM in base64",
  ],
  [
    "a name with an escape",
    changed((config) => (config.users[0]!["\u001b[2J"] = 1)),
    "it has users[0].a field whose name is not a plain word",
  ],
  [
    "an alias",
    ofClusterApi.replace("cluster: dev\n", "cluster: &a dev\n"),
    "it has an anchor, an alias or a tag of YAML",
  ],
  [
    "a merge key",
    ofClusterApi.replace("    client-key-data", "    <<: {exec: {command: sh}}\n    client-key-data"),
    "it has users[0].user.a field whose name is not a plain word",
  ],
  [
    "a tag",
    ofClusterApi.replace("server: ", "server: !!str "),
    "it has an anchor, an alias or a tag of YAML",
  ],
  [
    "a key twice",
    ofClusterApi.replace("kind: Config", "kind: Config\nkind: Config"),
    "it is not YAML, or has a key twice",
  ],
  ["two documents", `${ofClusterApi}---\n${ofClusterApi}`, "it is not YAML, or has a key twice"],
  ["no YAML", "{", "it is not YAML, or has a key twice"],
  // The package would make a text of such a key, with all that are inside of it.
  ...["? {a: {b: c}}\n: 1\n", "{[a]: b}: 1\n", "? [[[a]]]\n"].map((more) => [
    `the key in ${JSON.stringify(more)}`,
    ofClusterApi + more,
    "it is not YAML, or has a key twice",
  ]),
  ["brackets by the thousand", "[".repeat(50_000), "it is not YAML, or has a key twice"],
  ["a text", "hello", "it is not a mapping"],
  ["nothing", "", "it is not a mapping"],
  ["a large one", `${ofClusterApi}#${"x".repeat(100_000)}`, "it has more than 100000 bytes"],
])("refuses %s", (_, text, message) => {
  expect(messageOf(text)).toBe(`the kubeconfig is refused: ${message}. ${may}`);
});

/** The places of a kubeconfig at which a stranger may add a field. */
const places = [
  "root",
  "cluster entry",
  "cluster",
  "context entry",
  "context",
  "user entry",
  "user",
] as const;

const mappings = (config: Config): Readonly<Record<(typeof places)[number], Record<string, unknown>>> => ({
  root: config,
  "cluster entry": config.clusters[0]!,
  cluster: config.clusters[0]!.cluster as Record<string, unknown>,
  "context entry": config.contexts[0]!,
  context: config.contexts[0]!.context as Record<string, unknown>,
  "user entry": config.users[0]!,
  user: config.users[0]!.user as Record<string, unknown>,
});

it("refuses any other field at any place, and writes nothing but the known ones", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.oneof(
        fc.string({ minLength: 1 }),
        fc.constantFrom("exec", "auth-provider", "tokenFile", "__proto__", "Exec"),
      ),
      fc.jsonValue(),
      (place, key, value) => {
        const text = changed((config) => {
          Object.defineProperty(mappings(config)[place], key, {
            value,
            enumerable: true,
            configurable: true,
          });
        });
        let written: string;
        try {
          written = clusterKubeconfigText(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ClusterKubeconfigError);
          return;
        }
        expect(allowedKeys.has(key)).toBe(true);
        const keys = [...JSON.stringify(parse(written)).matchAll(/"([\w-]+)":/g)].map(([, name]) => name);
        expect(new Set(keys)).toEqual(new Set([...keys].filter((name) => allowedKeys.has(name!))));
        expect(parseClusterKubeconfig(written)).toEqual(parseClusterKubeconfig(text));
      },
    ),
  );
});

const allowedKeys = new Set([
  ...["apiVersion", "kind", "clusters", "contexts", "users", "current-context", "preferences", "name"],
  ...["cluster", "context", "user", "server", "certificate-authority-data"],
  ...["client-certificate-data", "client-key-data", "token"],
]);
