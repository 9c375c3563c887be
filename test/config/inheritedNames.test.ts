import { configSchema, type SchemaNode } from "../../config/jsonSchema";
import { loadSettings } from "../../config/load";
import { ConfigError } from "capz-windows-kit/problem";
import { isRecord } from "capz-windows-kit/untyped";
import { updateFileInline } from "../support/inlinePlans";
import { minimal } from "../support/stacks";

/**
 * Names that every object of JavaScript inherits are keys like all others, wherever a stack file may choose names. Two are refused in
 * words: JSON and libraries cannot have them.
 */

const names = [
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "then",
  "length",
  "toJSON",
].filter((name) => !["__proto__", "toString"].includes(name));

interface Place {
  readonly path: readonly string[];
  /** A right value of a name there. */
  readonly value: unknown;
}

const firstExample = ({ examples = [] }: SchemaNode): unknown => examples[0];

/** A right value of the schema, as far as a single example says. */
function valueOf(node: SchemaNode, mapping: unknown): unknown {
  const [value] = isRecord(mapping) ? Object.values(mapping) : [];
  return value ?? firstExample(node) ?? (node.type === "object" ? {} : "x");
}

/** The places where the names of keys are the user's. */
function placesOf(node: SchemaNode, path: readonly string[] = []): Place[] {
  const { additionalProperties: named } = node;
  const own = typeof named === "object" ? [{ path, value: valueOf(named, firstExample(node)) }] : [];
  return [
    ...own,
    ...(typeof named === "object" ? placesOf(named, [...path, "some"]) : []),
    ...Object.entries(node.properties ?? {}).flatMap(([key, child]) => placesOf(child, [...path, key])),
    ...(node.items === undefined ? [] : placesOf(node.items, [...path, "0"])),
    ...[...(node.oneOf ?? []), ...(node.anyOf ?? [])].flatMap((one) => placesOf(one, path)),
  ];
}

type Raw = Record<string, unknown>;

const placed = ([key = "", ...rest]: readonly string[], value: unknown, within: unknown): unknown => {
  const inner = rest.length === 0 ? value : placed(rest, value, isRecord(within) ? within[key] : {});
  return key === "0" ? [inner] : { ...(isRecord(within) ? within : {}), [key]: inner };
};

const places = [
  ...new Map(placesOf(configSchema()).map((place) => [place.path.join("."), place])).values(),
].filter(({ path }) => path.length > 0);

/** The report, or "" of a right config. Any other error is one of the program. */
function report(raw: Raw): string {
  try {
    loadSettings(raw, "Pulumi.test.yaml");
    return "";
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.message;
    }
    throw error;
  }
}

it("there are many places", () => {
  expect(places.length).toBeGreaterThan(15);
  expect(places.map(({ path }) => path[0])).toEqual(
    expect.arrayContaining(["tags", "windowsPools", "linuxPools", "overrides", "imageDigests"]),
  );
});

interface Accepted extends Place {
  readonly name: string;
}

const accepted: Accepted[] = [];

it.each(places.map((place) => [place.path.join("."), place] as const))(
  "%s takes or refuses each of them in words",
  (_, { path, value }) => {
    const usual = report(placed([...path, "usual"], value, minimal()) as Raw);
    for (const name of names) {
      const raw = placed([...path, name], value, minimal()) as Raw;
      const text = report(raw);
      expect(text).not.toMatch(/native code|function|undefined|\[object/);
      if (usual === "" && text !== "") {
        expect(text).toContain(name);
      }
      if (text === "") {
        accepted.push({ path, name, value });
      }
    }
  },
);

it.each(["__proto__", "toString"])("%s is refused at every place", (name) => {
  for (const { path, value } of places) {
    // As JSON has it: a literal would set the prototype.
    const raw = placed([...path, "NAME"], value, minimal()) as Raw;
    const hostile = JSON.parse(JSON.stringify(raw).replace('"NAME"', `"${name}"`)) as Raw;
    const at = [...path, name].join(".").replace(/\.0\b/g, "[0]");
    expect(report(hostile)).toBe(
      `Pulumi.test.yaml: 1 problem

  ${at}
    problem  JavaScript has another use for this name, so the program cannot read the key
    allowed  other names`,
    );
  }
});

it("a plan has all that are taken", async () => {
  const isTogether = ({ path: [first = ""], name }: Accepted): boolean =>
    ["tags", "overrides", "imageDigests"].includes(first) ||
    (first === "windowsPools" && ["constructor", "then"].includes(name)) ||
    // Two would deliver the same object.
    (first === "extraManifests" && name === "constructor");
  const together = accepted.filter(isTogether);
  expect(together.length).toBeGreaterThan(15);
  const raw = together.reduce<unknown>(
    (config, { path, name, value }) => placed([...path, name], value, config),
    minimal(),
  ) as Raw;
  const config = Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [
      `capz-windows:${key}`,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
  const { resources } = await updateFileInline({
    ...{ project: "capz-windows", stack: "test", file: "Pulumi.test.yaml", secretMarks: {}, secretBytes: {} },
    ...{ config, secretKeys: [] },
  });
  const text = JSON.stringify(resources.map(({ inputs }) => inputs));
  const missing = together.filter(({ name }) => !text.includes(`"${name}":`));
  expect(missing.filter(({ path: [first] }) => first !== "imageDigests" && first !== "windowsPools")).toEqual(
    [],
  );
  expect(text).not.toMatch(/native code|\[object/);
});
