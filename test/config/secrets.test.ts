import { parse } from "yaml";
import { configSchema, keysOf, nodeAt, type SchemaNode } from "../../config/jsonSchema";
import { loadSettings } from "../../config/load";
import { ConfigError } from "capz-windows-kit/problem";
import { secretKeys } from "../../config/schema/stack";
import { isThorough } from "capz-windows-test-kit/sample";
import { base64, leaks, marker, markersOf, plantedKubeconfig } from "capz-windows-test-kit/secrets";
import { minimal } from "../support/stacks";

/** Secrets in a config, in the correct place and in every wrong one: no report shows any part of them. */

type Path = readonly string[];

/** The path of every place in a config: keys, values of maps under the name `some`, and items of lists. */
function placesOf(node: SchemaNode, path: Path = []): Path[] {
  const inner = [
    ...Object.entries(node.properties ?? {}),
    ...(typeof node.additionalProperties === "object" ? [["some", node.additionalProperties] as const] : []),
    ...(node.items === undefined ? [] : [["0", node.items] as const]),
  ];
  const found = [
    path,
    ...inner.flatMap(([key, child]) => placesOf(child, [...path, key])),
    ...[...(node.oneOf ?? []), ...(node.anyOf ?? [])].flatMap((alternative) => placesOf(alternative, path)),
  ];
  return [...new Map(found.map((place) => [place.join("."), place])).values()];
}

const placed = ([key = "", ...rest]: Path, value: unknown, within: unknown): unknown => {
  if (/^\d+$/.test(key)) {
    return [rest.length === 0 ? value : placed(rest, value, {})];
  }
  const map = typeof within === "object" && within !== null ? (within as Record<string, unknown>) : {};
  return { ...map, [key]: rest.length === 0 ? value : placed(rest, value, map[key]) };
};

const places = placesOf(configSchema()).filter((path) => path.length > 0);
const mappings = places.filter((path) => keysOf(nodeAt(path)).length > 0);

/** The report, or "" for a valid config. */
function report(raw: Record<string, unknown>): string {
  try {
    loadSettings(raw, "Pulumi.test.yaml");
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
}

const kubeconfig = plantedKubeconfig("config");
const pem = `-----BEGIN PRIVATE KEY-----\n${marker("config key")}\n-----END PRIVATE KEY-----\n`;
const jwt = ["header", "payload", "signature"].map((part) =>
  base64(`{"${part}":"${marker("config token")}"}`),
);

const secrets: Readonly<Record<string, unknown>> = {
  "a kubeconfig": kubeconfig,
  "a kubeconfig in JSON": JSON.stringify(parse(kubeconfig)),
  "a kubeconfig in base64": base64(kubeconfig),
  "a kubeconfig that was not quoted": parse(kubeconfig) as unknown,
  "a private key": pem,
  "a private key in one line": pem.replaceAll("\n", " "),
  "a token": jwt.map((part) => part.replace(/=+$/, "")).join("."),
  "a hexadecimal token": Buffer.from(marker("config token")).toString("hex"),
  "a client secret of Entra": `abc8Q~${marker("config token")}.x`,
};

const found = (name: string, text: string): string[] => leaks([[name, text]], markersOf("config"));

const isWithin = (path: Path, other: Path): boolean => other.every((key, index) => path[index] === key);

/** Groups of paths that do not contain one another, so that one stack file can have all paths of a group. */
function batchesOf(all: readonly Path[], most: number): Path[][] {
  const batches: Path[][] = [];
  for (const path of all) {
    const batch = batches.find(
      (one) => one.length < most && !one.some((other) => isWithin(path, other) || isWithin(other, path)),
    );
    if (batch) {
      batch.push(path);
    } else {
      batches.push([path]);
    }
  }
  return batches;
}

/** Of places and mappings, one of `every` for a secret, each time others; in CI all of them. */
const part = (all: readonly Path[], own: number, every: number): Path[] =>
  all.filter((_, index) => isThorough || (index + own) % every === 0);

describe.each(Object.entries(secrets))("%s", (name, secret) => {
  const own = Object.keys(secrets).indexOf(name);

  it("is not shown at any place", () => {
    expect(places.length).toBeGreaterThan(80);
    // Each place gets one of the secrets.
    const tried = part(places, own, Object.keys(secrets).length);
    // Two of the secrets get a file for each place, so that no other problem hides those of rules across keys.
    const alone = ["a kubeconfig", "a hexadecimal token"].includes(name);
    const batches = batchesOf(tried, alone ? 1 : 8);
    expect(batches.flat()).toHaveLength(tried.length);
    const shown = batches.flatMap((paths) => {
      const raw = paths.reduce<unknown>((file, path) => placed(path, secret, file), minimal());
      return found(paths.map((path) => path.join(".")).join(" "), report(raw as Record<string, unknown>));
    });
    expect(shown).toEqual([]);
  });

  it("is not shown below an unknown key, at any level", () => {
    expect(mappings.length).toBeGreaterThan(15);
    const shown = part(mappings, own, 3).flatMap((path) => {
      const raw = placed([...path, "creds"], secret, minimal()) as Record<string, unknown>;
      return found(path.join("."), report(raw));
    });
    expect(shown).toEqual([]);
    expect(found("top", report({ ...minimal(), creds: secret }))).toEqual([]);
  });

  it("is not shown as a name", () => {
    const name = typeof secret === "string" ? secret : JSON.stringify(secret);
    for (const map of ["windowsPools", "linuxPools", "tags"]) {
      expect(found(map, report({ ...minimal(), [map]: { [name]: {} } }))).toEqual([]);
    }
    expect(found("top", report({ ...minimal(), [name]: "x" }))).toEqual([]);
  });
});

describe("any text", () => {
  it.each(secretKeys)("is not shown at %s, even if the key is mistyped", (key) => {
    const mark = marker("config token");
    for (const name of [key, key.toLowerCase(), key.slice(0, -1), `${key}s`, key.replace(/[aeiou]/, "")]) {
      for (const value of [mark, `x: ${mark}`, `{"a":"${mark}"}`, `[${mark}`, { a: mark }, [mark]]) {
        const text = report({ ...minimal(), [name]: value });
        // A mapping of names to texts is a valid value of secretFiles.
        const isRight = name === "secretFiles" && typeof value === "string" && /^(x: |\{)/.test(value);
        expect(text === "").toBe(isRight);
        expect(found(name, text)).toEqual([]);
      }
    }
  });
});

it.each([
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/images/providers/Microsoft.Compute/images/Capi1",
  "example.azurecr.io/calico@sha256:7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069",
  "https://westeurope.oic.prod-aks.azure.com/11111111-2222-4333-8444-555555555555/",
  "cncf-upstream:capi-windows:windows-2022-containerd-gen1:131.5.20250115",
  "a".repeat(60),
])("%s is shown, because it is not a secret", (text) => {
  expect(report({ ...minimal(), clusterName: text })).toContain(`    value    ${text.slice(0, 80)}`);
});

it("a refused list has the names of its wrong flags, and not what may be a secret", () => {
  const extraArgs = [
    { name: "service-account-max-token-expiration", value: "2h" },
    { name: "token-auth-file", value: "/etc/kubernetes/pki/tokens.csv" },
    { name: "audit-log-maxage", value: "30" },
  ];
  const kubeadmConfigSpec = { clusterConfiguration: { apiServer: { extraArgs } } };
  const overrides = { KubeadmControlPlane: { spec: { kubeadmConfigSpec } } };
  const said = report({ ...minimal(), controlPlane: { overrides } });
  expect(said).toContain(
    [
      "    problem  audit-log-maxage: an override may not set this: the stack file has a key for it",
      "    allowed  other elements; for these, controlPlane.audit",
    ].join("\n"),
  );
  expect(said).not.toContain("tokens.csv");
});

it("a flag with _ is the one with -", () => {
  const extraArgs = [{ name: "encryption_provider_config", value: "/etc/kubernetes/pki/none.yaml" }];
  const kubeadmConfigSpec = { clusterConfiguration: { apiServer: { extraArgs } } };
  const overrides = { KubeadmControlPlane: { spec: { kubeadmConfigSpec } } };
  expect(report({ ...minimal(), controlPlane: { overrides } })).toContain(
    "    problem  encryption_provider_config: an override may not set this: the stack file has a key for it",
  );
});

it("the scan detects a value that is shown", () => {
  const raw = { ...minimal(), clusterName: marker("config token") };
  expect(found("clusterName", report(raw))).toEqual([
    "clusterName: beginning in clear",
    "clusterName: end in clear",
  ]);
});

it("names that every object of JavaScript has are keys like all others", () => {
  const strange = ["constructor", "toString", "hasOwnProperty"].flatMap((key, own) =>
    part(mappings, own, 3).flatMap((path) =>
      [{ a: "b" }, "b"].flatMap((value) => {
        const text = report(placed([...path, key], value, minimal()) as Record<string, unknown>);
        return /native code|function/.test(text) ? [text] : [];
      }),
    ),
  );
  expect(strange).toEqual([]);
});
