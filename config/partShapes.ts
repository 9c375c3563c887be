import { fromParts } from "./advice/shapes";
import { type Path, type Step, valueAt } from "./advice/steps";
import { keysOf, nodeAt } from "./jsonSchema";
import { textAt } from "../tools/untyped";
import { plainName } from "./words";

/** Texts whose parts are keys in other tools. */

type Entries = Readonly<Record<string, unknown>>;

/** A host whose address, user and port are keys, where one text has all of them: a jump host or a proxy. */
export function hostInParts(path: Path, root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const around = Object.entries(Object(valueAt(root, parent)) as Entries);
  const part = (name: RegExp): Entries[string] => around.find(([key]) => name.test(plainName(key)));
  const parts = {
    host: part(/^(host|hostname|address|ip|server)$/),
    user: part(/^(user|username)$/),
    port: part(/^port$/),
  };
  const given = Object.entries(parts).filter(
    (one): one is [string, [string, unknown]] => one[1] !== undefined,
  );
  const keys = given.map(([, [key]]) => key);
  const targets = keysOf(nodeAt(parent, root)).filter((key) => valueAt(root, [...parent, key]) === undefined);
  const texts = targets.flatMap((key) =>
    fromParts(
      Object.fromEntries(given.map(([name, [, value]]) => [name, value])),
      nodeAt([...parent, key], root) ?? {},
    ).map((value): Step => ({ set: [...parent, key], value })),
  );
  return keys.includes(String(path.at(-1))) && texts.length === 1
    ? [[...keys.map((key): Step => ({ remove: [...parent, key] })), ...texts]]
    : [];
}

/** A mirror for each registry, as containerd has them: paths of one mirror. */
export function mirrorOfEach(path: Path, root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const mirrors = Object.entries(Object(valueAt(root, parent)) as Entries).filter(([key]) =>
    key.includes("."),
  );
  const parts = mirrors.map(([, one]) => /^(https:\/\/[^/]+)\/(.+?)\/?$/.exec(String(one)));
  const [first] = parts;
  return parent.join(".") === "registryMirror" &&
    String(path.at(-1)).includes(".") &&
    parts.every((one) => one !== null && one[1] === first?.[1]) &&
    ["url", "paths"].every((key) => valueAt(root, [...parent, key]) === undefined)
    ? [
        [
          ...mirrors.map(([key]): Step => ({ remove: [...parent, key] })),
          { set: [...parent, "url"], value: first?.[1] },
          {
            set: [...parent, "paths"],
            value: Object.fromEntries(mirrors.map(([key], index) => [key, parts[index]?.[2]])),
          },
        ],
      ]
    : [];
}

/** The stack of the management cluster in three keys. */
export function stackInParts(path: Path, root: unknown): Step[][] {
  const [organization, project, stack] = ["organization", "project", "stack"].map((key) =>
    textAt(root, "management", key),
  );
  const parts = [organization, project, stack];
  return path.join(".") === "management.stack" && parts.every((part) => /^[^/\s]+$/.test(part ?? ""))
    ? [
        [
          { set: path, value: parts.join("/") },
          ...["organization", "project"].map((key): Step => ({ remove: ["management", key] })),
        ],
      ]
    : [];
}
