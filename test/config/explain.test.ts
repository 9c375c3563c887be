import { explainKey, type ExplainedKey, UnknownKeyError } from "../../config/explain";
import { documentedKeys } from "../../config/configDocument";
import { allowedText, firstSentence, keysOf } from "../../config/jsonSchema";

/** What `npm run explain` says of a key, from the schema. */

it("a key of a pool has its type, default, range and an example", () => {
  expect(explainKey("windowsPools.win1.replicas")).toEqual({
    path: "windowsPools.win1.replicas",
    description: "Number of nodes; with autoscale, the autoscaler sets it, starting from min",
    type: "whole number",
    required: false,
    default: 2,
    allowed: "a whole number from 0 to 1000",
    change: "replaces no machine",
    example: { config: { "capz-windows:windowsPools": { win1: { replicas: 2 } } } },
    keys: {},
    page: "docs/config.md#linuxpools-and-windowspools",
  });
});

it("a key may have the prefix of the stack file, and an element of a list a number, or none", () => {
  const { path, required, example } = explainKey("capz-windows:windowsPools.NAME.files.path");
  expect({ path, required }).toEqual({ path: "windowsPools.NAME.files[].path", required: true });
  expect(example).toEqual({
    config: { "capz-windows:windowsPools": { NAME: { files: [{ path: "C:/k/motd.txt" }] } } },
  });
  for (const same of ["windowsPools.NAME.files[].path", "windowsPools.NAME.files[0].path"]) {
    expect(explainKey(same)).toEqual(explainKey("windowsPools.NAME.files.0.path"));
  }
});

it("a mapping has the keys below it, also where users name them, and nothing asked is the whole config", () => {
  expect(Object.keys(explainKey("windowsPools.NAME.autoscale").keys)).toEqual(["min", "max"]);
  expect(explainKey("windowsPools.autoscale").path).toBe("windowsPools.NAME.autoscale");
  expect(explainKey("windowsPools").keys.replicas).toMatch(/^Number of nodes;/);
  expect(explainKey("windowsPools.NAME.files").keys.path).toBe("Absolute path on the node");
  expect(explainKey("management").keys.kind).toBe("aks, existing, stack");
  const { path, keys, page } = explainKey("");
  expect({ path, page, has: Object.keys(keys).slice(0, 3) }).toEqual({
    ...{ path: "", page: "docs/config.md" },
    has: ["clusterName", "namespace", "createNamespace"],
  });
});

it("a secret has no value in its example", () => {
  expect(explainKey("managementKubeconfig").example).toEqual({
    config: { "capz-windows:managementKubeconfig": { secure: "..." } },
  });
});

it.each([
  ["windowPools", "There is no key windowPools. Do you mean windowsPools?"],
  ["windowsPools.a.replica", "There is no key windowsPools.a.replica. Do you mean windowsPools.a.replicas?"],
  ["controlPlane.count", "There is no key controlPlane.count. Do you mean controlPlane.replicas?"],
  ["files.path", "There is no key files. Do you mean linuxPools.NAME.files or windowsPools.NAME.files?"],
  [
    "network.nonsense",
    "There is no key network.nonsense. Keys there are apiServer, existing, peerings, dnsServers, bastion, and others (docs/config.md#network).",
  ],
  ["clusterName.first", "There is no key clusterName.first. clusterName has no keys."],
  [
    "__proto__.x",
    "There is no key __proto__. Keys there are proxy, protect, wait, flavor, azure, and others (docs/config.md).",
  ],
])("%s is no key", (asked, message) => {
  expect(() => explainKey(asked)).toThrow(new UnknownKeyError(message));
});

type DocumentedKey = ReturnType<typeof documentedKeys>[number];

/** What is known of a key, at each place where its section holds. */
function explanationsOf({ group, path }: DocumentedKey): ExplainedKey[] {
  const holders = [group, "linuxPools.NAME", "windowsPools.NAME", `windowsPools.NAME.${group}`];
  return [path, ...holders.map((holder) => `${holder}.${path}`)].flatMap((place) => {
    try {
      return [explainKey(place)];
    } catch {
      return [];
    }
  });
}

/** Whether an explanation has what the schema says of a key. A kind is explained with all kinds. */
function isWhole({ node }: DocumentedKey, { description, allowed, type, ...found }: ExplainedKey): boolean {
  if (description !== (node.description ?? "")) {
    return false;
  }
  if (keysOf(node).length > 0) {
    return Object.keys(found.keys).length > 0;
  }
  const isAllowed =
    node.const === undefined ? (allowed ?? type) === allowedText(node) : allowed !== undefined;
  return isAllowed && found.default === node.default && found.example !== undefined;
}

it("each key of docs/config.md is explained with all that the schema says of it", () => {
  const keys = documentedKeys();
  expect(keys.length).toBeGreaterThan(350);
  const failed = keys.filter((key) => !explanationsOf(key).some((found) => isWhole(key, found)));
  expect(failed.map(({ group, path }) => `${group}.${path}`)).toEqual([]);
});

const laterMachines =
  "is for machines that are created later: with new bootstrap data at once, otherwise with the next image, VM size, zones or identities";

it.each([
  ["management.nodeCount", { only: "kind: aks" }],
  ["management.only", { only: "kind: aks or existing" }],
  ["management.network.apiServer.private", { only: "kind: aks" }],
  ["management.kind", {}],
  ["linuxPools.NAME.replicas", { change: "replaces no machine" }],
  ["linuxPools.NAME.dataDisks.mountPath", { only: "linuxPools", change: laterMachines }],
  ["windowsPools.NAME.healthCheck.enabled", { only: "windowsPools", change: "replaces no machine" }],
  ["windowsPools", { names: "1–40 characters: a–z, 0–9 and -, starting with a letter" }],
  ["network.peerings", { names: "2–40 characters: a–z, 0–9 and -, starting with a letter" }],
  ["poolDefaults.rollout.maxSurge", { change: "replaces no machine" }],
  ["controlPlane.image", {}],
])("says of %s where it applies, what a change does and which names are allowed", (path, expected) => {
  const { only, names, change } = explainKey(path);
  expect({ only, names, change }).toEqual(expected);
});

it("tells a change of a scale set from that of single machines", () => {
  expect(explainKey("windowsPools.NAME.vmSize").change).toBe(
    "is for the surge of machines (`rollout.maxSurge`); the others stay until the image changes. With kind MachineDeployment: replaces all machines of the pool",
  );
  expect(explainKey("linuxPools.NAME.vmSize").change).toBe(
    "is for the surge of machines (`rollout.maxSurge`); the others stay until the image changes",
  );
});

it.each([
  ["SECRET. Kubeconfig of the cluster: npx pulumi", "Kubeconfig of the cluster"],
  ["Version v1.2.3 (as in v1; not v2: never). More", "Version v1.2.3 (as in v1; not v2: never)"],
  ["What `a: b` says; more", "What `a: b` says"],
  ["privateDnsZone: own: VNETs of others. More", "privateDnsZone: own: VNETs of others"],
  ["", ""],
])("%s begins with a sentence", (description, first) => {
  expect(firstSentence(description)).toBe(first);
});
