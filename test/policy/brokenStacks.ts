import { readFileSync } from "node:fs";
import { join } from "node:path";
import { at, list } from "../../tools/untyped";
import type { PolicyResource } from "../../policy/resource";

/**
 * Changes of what a stack registers, as paragraphs of brokenStacks.txt: what is changed, the resource and its change, and after
 * `=` what the policy pack must find, with the resource after ` @ ` where it is another one.
 */

export interface Mutable extends PolicyResource {
  readonly type: string;
  readonly props: Record<string, unknown>;
  opts: { protect: boolean };
}

export type Change = (resource: Mutable) => void;

type Holder = Record<string, unknown>;

/** The mapping or list that has the last key of a dotted path. */
function holderOf({ props }: Mutable, path: string): readonly [holder: Holder, key: string] {
  const keys = path.split(".");
  return [at(props, ...keys.slice(0, -1)) as Holder, keys.at(-1) ?? ""];
}

export const set =
  (path: string, value: unknown): Change =>
  (resource) => {
    const [holder, key] = holderOf(resource, path);
    holder[key] = value;
  };

const args = "spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const forms: Readonly<Record<string, (resource: Mutable, first: string, rest: string) => void>> = {
  set: (resource, path, json) => {
    set(path, JSON.parse(json))(resource);
  },
  remove: (resource, path) => {
    const [holder, key] = holderOf(resource, path);
    Reflect.deleteProperty(holder, key);
  },
  push: ({ props }, path, json) => {
    (at(props, ...path.split(".")) as unknown[]).push(JSON.parse(json));
  },
  "without-argument": (resource, name) => {
    set(
      args,
      list(at(resource.props, ...args.split("."))).filter((one) => one.name !== name),
    )(resource);
  },
  /** Another text under the key that the Secret has. */
  secret: ({ props }, first, rest) => {
    const [key = ""] = Object.keys(props.stringData as object);
    Object.assign(props, { stringData: { [key]: `${first} ${rest}` }, data: undefined });
  },
  "secret-data": ({ props }, first, rest) => {
    const [key = ""] = Object.keys(props.stringData as object);
    Object.assign(props, { stringData: undefined, data: { [key]: base64(`${first} ${rest}`) } });
  },
  "file-data": ({ props }, path, text) => {
    const files = list(at(props, "spec", "kubeadmConfigSpec", "files"));
    Object.assign(files.find((file) => file.path === path) ?? {}, {
      ...{ encoding: "base64", content: base64(text) },
    });
  },
  unprotected: (resource) => {
    resource.opts = { protect: false };
  },
};

export const cases = readFileSync(join(__dirname, "brokenStacks.txt"), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((paragraph) => {
    const [what = "", step = "", expected] = paragraph.split("\n");
    const [, name = "", form = "", first = "", rest = ""] = /^(\S+) ?(\S*) ?(\S*) ?(.*)$/.exec(step) ?? [];
    const [text = "", of = name] = (expected ?? "").slice(2).split(" @ ");
    const make = form === "" ? () => undefined : forms[form]!;
    const change: Change = (resource) => {
      make(resource, first, rest);
    };
    return { what, name, change, found: expected === undefined ? [] : [`${text} (${of})`] };
  });

export const password = cases.find(({ what }) => what === "a password on the machines")!.change;
