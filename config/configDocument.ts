import { allowedText, configSchema, firstSentence, keysOf, type SchemaNode, typeText } from "./jsonSchema";

/** docs/config.md: every key of the stack config, grouped. Generated from the schema; explain.ts says the rest of a key. */

/** One key in a table. */
interface KeyRow {
  /** Path within the group, with dots; `[]` is an element of a list, `<name>` a name in a mapping. */
  readonly path: string;
  /** Where the key applies, if not everywhere: a kind, or an operating system. */
  readonly only?: string | undefined;
  readonly node: SchemaNode;
  readonly required: boolean;
  /** Title of the group that describes its keys. */
  readonly block?: string;
}

interface Group {
  readonly title: string;
  readonly text: string;
  readonly rows: readonly KeyRow[];
}

const isBlock = (node: SchemaNode): boolean => node.properties !== undefined;

const variantsOf = (node: SchemaNode): readonly SchemaNode[] =>
  (node.oneOf ?? node.anyOf ?? []).filter(isBlock);

/** Blocks that occur at more than one place, by their schema. */
type Shared = ReadonlyMap<string, string>;

const signature = (node: SchemaNode): string => JSON.stringify(node);

/** The schema of the values in a mapping by name, such as that of pools. */
const namedIn = ({ additionalProperties: named }: SchemaNode): SchemaNode =>
  typeof named === "object" ? named : {};

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

/** The keys below a node, those of an element of a list, and those that each name of a mapping has. */
function rowsOf(node: SchemaNode, path: string, shared: Shared, only?: string): KeyRow[] {
  if (node.items !== undefined) {
    return rowsOf(node.items, `${path}[]`, shared, only);
  }
  const named = namedIn(node);
  if (isBlock(named)) {
    const row = {
      path: join(path, "<name>"),
      only,
      node: { ...named, allowed: `names of ${allowedText(node.propertyNames)}` },
      required: false,
    };
    return [row, ...rowsOf(named, row.path, shared, only)];
  }
  const variants = variantsOf(node);
  if (variants.length > 0) {
    return variants.flatMap((variant) =>
      rowsOf(variant, path, shared, `kind: ${String(variant.properties?.kind?.const)}`),
    );
  }
  return Object.entries(node.properties ?? {}).flatMap(([key, inner]) => {
    const block = shared.get(signature(inner));
    const row: KeyRow = {
      ...{ path: join(path, key), only, node: inner, required: node.required?.includes(key) ?? false },
      ...(block === undefined ? {} : { block }),
    };
    return block === undefined ? [row, ...rowsOf(inner, row.path, shared, only)] : [row];
  });
}

/** Keys that both kinds of pools have are listed once. */
function poolRows(linux: SchemaNode, windows: SchemaNode, shared: Shared): KeyRow[] {
  const [linuxRows, windowsRows] = [linux, windows].map((node) => rowsOf(node, "", shared));
  const same = (a: KeyRow, b: KeyRow): boolean =>
    a.path === b.path && signature(a.node) === signature(b.node);
  const isShared = (row: KeyRow, others: readonly KeyRow[] = []): boolean =>
    others.some((other) => same(row, other));
  const onlyIn = (
    rows: readonly KeyRow[] = [],
    others: readonly KeyRow[] | undefined,
    only: string,
  ): KeyRow[] => rows.filter((row) => !isShared(row, others)).map((row) => ({ ...row, only }));
  return [
    ...(linuxRows ?? []).filter((row) => isShared(row, windowsRows)),
    ...onlyIn(linuxRows, windowsRows, "linuxPools"),
    ...onlyIn(windowsRows, linuxRows, "windowsPools"),
  ];
}

/** The blocks right below a node. */
const blocksIn = (node: SchemaNode): [string, SchemaNode][] =>
  Object.entries(node.properties ?? {}).filter(([, inner]) => isBlock(inner));

const poolKeys = ["linuxPools", "windowsPools"] as const;

/** Its keys are those of pools. */
const defaultsKey = "poolDefaults";

/** Blocks of the control plane that pools have too. */
function sharedBlocks({ properties = {} }: SchemaNode): Map<string, [string, SchemaNode]> {
  const inPools = poolKeys.flatMap((key) => blocksIn(namedIn(properties[key] ?? {})));
  const others = Object.entries(properties).filter(
    ([key]) => !poolKeys.includes(key as never) && key !== defaultsKey,
  );
  const elsewhere = new Set(others.flatMap(([, node]) => blocksIn(node)).map(([, node]) => signature(node)));
  return new Map(
    inPools
      .filter(([, node]) => elsewhere.has(signature(node)))
      .map(([key, node]) => [signature(node), [key, node]]),
  );
}

/** What a section is about. */
function groupSentence(title: string, node: SchemaNode, isRequired: boolean): string {
  const first = `${firstSentence(node.description ?? "")}.${isRequired ? " **Required.**" : ""}`;
  return title === defaultsKey
    ? `${first} Its keys are those of [pools](#linuxpools-and-windowspools) that say nothing about an operating system.`
    : first;
}

function groups(): Group[] {
  const schema = configSchema();
  const { properties = {}, required = [] } = schema;
  const blocks = sharedBlocks(schema);
  const shared: Shared = new Map([...blocks].map(([text, [key]]) => [text, key]));
  const hasSection = (node: SchemaNode): boolean => keysOf(node).length > 0 || isBlock(namedIn(node));
  const isPools = (key: string): boolean => poolKeys.includes(key as never);
  const scalars = Object.entries(properties).filter(([, node]) => !hasSection(node));
  const [linux, windows] = poolKeys.map((key) => namedIn(properties[key] ?? {}));
  return [
    {
      title: "The cluster",
      text: "Keys without a section below.",
      rows: rowsOf({ properties: Object.fromEntries(scalars), required }, "", shared),
    },
    ...Object.entries(properties)
      .filter(([key, node]) => hasSection(node) && !isPools(key))
      .map(([title, node]) => ({
        title,
        text: groupSentence(title, node, required.includes(title)),
        rows: title === defaultsKey ? [] : rowsOf(node, "", shared),
      })),
    {
      title: "linuxPools and windowsPools",
      text: `Mappings from the name of a pool (${allowedText(properties.windowsPools?.propertyNames)}) to its keys; \`{}\` is a pool with all defaults. The order does not matter. No pool can have the name \`secure\`, which Pulumi takes for a secret.`,
      rows: poolRows(linux ?? {}, windows ?? {}, shared),
    },
    ...[...blocks.values()].map(([title, node]) => ({
      title,
      text: `${firstSentence(node.description ?? "")}.`,
      rows: rowsOf(node, "", new Map()),
    })),
  ];
}

const isEmpty = (value: unknown): boolean => ["[]", "{}"].includes(JSON.stringify(value));

/** A value that the key accepts; `undefined` for a mapping, whose keys have their own. */
export function exampleOf(node: SchemaNode): unknown {
  const [example] = node.examples ?? [];
  const byDefault = isEmpty(node.default) ? undefined : node.default;
  const first = node.const ?? node.enum?.[0] ?? (node.type === "boolean" ? true : node.minimum);
  return node.secret === true ? { secure: "..." } : (byDefault ?? example ?? first);
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** The default, also where the program computes it and the description says how. */
function defaultText({ description = "", default: byDefault }: SchemaNode, isMapping: boolean): string {
  if (byDefault !== undefined && !isMapping) {
    return `\`${JSON.stringify(byDefault)}\``;
  }
  return /Default: ((?:[^.; ]|[.;](?! |$)| (?!\())*)/.exec(description)?.[1] ?? "";
}

function rowText({ path, only, node, required, block }: KeyRow): string {
  const isMapping = keysOf(node).length > 0;
  const cells = [
    `\`${path}\`${only === undefined ? "" : ` (${only})`}`,
    node.secret === true ? `${typeText(node)}, secret` : typeText(node),
    required ? "**required**" : defaultText(node, isMapping),
    block === undefined ? firstSentence(node.description ?? "") : `As in [${block}](#${block.toLowerCase()})`,
  ];
  return `| ${cells.map(cell).join(" | ")} |`;
}

const groupText = ({ title, text, rows }: Group): string =>
  [
    `## ${title}`,
    "",
    text,
    "",
    ...(rows.length === 0
      ? []
      : ["| key | type | default | what |", "|---|---|---|---|", ...rows.map(rowText), ""]),
  ].join("\n");

/** The content of docs/config.md. */
export const configDocument = (): string =>
  [
    "# Stack config",
    "",
    "Generated from `config/schema/` by `npm run docs`; do not edit. Top-level keys belong under `config:` in",
    "`Pulumi.<stack>.yaml`, with the prefix `capz-windows:`. All that is known of a key (what is allowed, an example, where it",
    "applies, what a change does to machines) is printed by:",
    "",
    "```sh",
    "npm run explain -- windowsPools.NAME.autoscale",
    "```",
    "",
    ...groups().map(groupText),
  ].join("\n");

/** Every key that docs/config.md has: for the tests that its example is accepted, and that it can be explained. */
export const documentedKeys = (): {
  readonly group: string;
  readonly path: string;
  readonly only?: string | undefined;
  readonly node: SchemaNode;
}[] =>
  groups().flatMap(({ title, rows }) =>
    rows.map(({ path, only, node }) => ({ group: title, path, only, node })),
  );
