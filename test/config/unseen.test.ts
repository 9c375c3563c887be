import { checkConfig } from "../../config/check";
import { alternatives, configSchema, exampleOf, type SchemaNode } from "../../config/jsonSchema";
import { text } from "capz-windows-kit/untyped";
import { pathText, takeSteps, type Path } from "../../config/steps";
import { reportWith } from "../support/stacks";

/** A key of the stack file whose value is a text, and a text that it accepts. */
interface Key {
  readonly path: Path;
  readonly text: string;
  /** What makes the schema look at it: the kind of a mapping around it. */
  readonly kinds: readonly { readonly set: Path; readonly value: unknown }[];
}

/** All of them: a name that users choose is `n1`. */
function textKeys(node: SchemaNode, path: Path = [], outer: Key["kinds"] = []): Key[] {
  const isFree = node.enum === undefined && node.const === undefined;
  const kind = node.properties?.kind?.const;
  const kinds = kind === undefined ? outer : [...outer, { set: [...path, "kind"], value: kind }];
  const named = typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
  return [
    ...(node.type === "string" && isFree ? [{ path, text: text(exampleOf(node)) || "abc", kinds }] : []),
    ...Object.entries(node.properties ?? {}).flatMap(([key, inner]) =>
      textKeys(inner, [...path, key], kinds),
    ),
    ...(named === undefined ? [] : textKeys(named, [...path, "n1"], kinds)),
    ...(node.items === undefined ? [] : textKeys(node.items, [...path, 0], kinds)),
    ...alternatives(node).flatMap((one) => textKeys(one, path, kinds)),
  ];
}

const characters = ["\u001b", "\n", "\u200b", "\u202e", "\u2028"];

/** The config with one value, in lists where the path has numbers. */
function configWith({ path, kinds }: Key, value: unknown): Record<string, unknown> {
  const config = {};
  path.forEach((key, index) => {
    if (typeof key === "number") {
      takeSteps(config, [{ set: path.slice(0, index), value: [{}] }]);
    }
  });
  takeSteps(config, [...kinds, { set: path, value }]);
  return config;
}

const accepts = (key: Key, value: string): boolean =>
  checkConfig(configWith(key, value)).schema.every(({ path }) => path !== pathText(key.path));

it("accepts characters that nobody sees only in contents of others", () => {
  const keys = textKeys(configSchema());
  const free = keys.filter((key) =>
    characters.some((one) => accepts(key, `${key.text.slice(0, 2)}${one}${key.text.slice(2)}`)),
  );
  expect(keys.length).toBeGreaterThan(150);
  expect([...new Set(free.map(({ path }) => pathText(path)))]).toEqual([
    "managementKubeconfig",
    "secretFiles",
    "controlPlane.authentication.oidc[0].certificateAuthority",
    "poolDefaults.vmExtensions[0].settings.n1",
    "linuxPools.n1.vmExtensions[0].settings.n1",
    "linuxPools.n1.files[0].content",
    "linuxPools.n1.preKubeadmCommands[0]",
    "linuxPools.n1.postKubeadmCommands[0]",
    "windowsPools.n1.vmExtensions[0].settings.n1",
    "windowsPools.n1.files[0].content",
    "windowsPools.n1.preKubeadmCommands[0]",
    "windowsPools.n1.postKubeadmCommands[0]",
    "access.sshPublicKey",
    "access.additionalSshPublicKeys[0]",
    "trustedCertificates[0]",
    "tags.n1",
    "policyExceptions[0].reason",
  ]);
});

it("says which character", () => {
  const disk = { storageClass: "fast\n\nWarnings\n  none\u001b" };
  expect(reportWith({ sampleWorkload: { disk } })).toBe(`Pulumi.test.yaml: 1 problem

  sampleWorkload.disk.storageClass
    value    fast Warnings none\u001b
    problem  the text has a newline, U+001B, which nobody sees in a report
    allowed  characters that can be seen, on one line`);
});

it("says it of names, too, and once", () => {
  const labels = { "team\u202ea": "b" };
  expect(reportWith({ windowsPools: { win1: { labels } } })).toBe(`Pulumi.test.yaml: 1 problem

  windowsPools.win1.labels["team\u202ea"]
    problem  the name has U+202E, which nobody sees in a report
    allowed  characters that can be seen, on one line`);
});

it("asks nothing of contents whose form is not this program's", () => {
  const overrides = { AzureCluster: { spec: { clusterName: "a\u001bb", access: { x: "a\nb" } } } };
  expect(checkConfig({ overrides }).schema.filter(({ path }) => path.startsWith("overrides"))).toEqual([]);
});

it("lets people write a reason on several lines", () => {
  expect(accepts({ path: ["policyExceptions", 0, "reason"], text: "", kinds: [] }, "one\ntwo\n")).toBe(true);
});
