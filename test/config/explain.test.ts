import { explainKey, UnknownKeyError } from "../../config/explain";
import { documentedKeys } from "../../config/configDocument";

/** What `npm run explain` says of a key, from the schema. */

it("a key of a pool has its type, default, range and an example", () => {
  expect(explainKey("windowsPools.win1.replicas")).toEqual({
    path: "windowsPools.win1.replicas",
    description: "Number of nodes; with autoscale, the autoscaler sets it, starting from min",
    type: "whole number",
    required: false,
    default: 2,
    allowed: "a whole number from 0 to 1000",
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

it("each key of docs/config.md can be explained by its path", () => {
  const isExplained = (path: string): boolean => {
    try {
      const { type, allowed } = explainKey(path);
      return type !== "" || allowed !== undefined;
    } catch {
      return false;
    }
  };
  const failed = documentedKeys().filter(
    ({ group, path }) =>
      ![
        path,
        ...[group, "linuxPools.NAME", "windowsPools.NAME", `windowsPools.NAME.${group}`].map(
          (at) => `${at}.${path}`,
        ),
      ].some(isExplained),
  );
  expect(failed.map(({ group, path }) => `${group}.${path}`)).toEqual([]);
});
