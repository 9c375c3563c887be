import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Side } from "../../commands/cluster/snapshot";
import { azure } from "./faults/fault";
import type { Loose, Patient } from "./patient";

/**
 * Faults as data: what controllers write into a healthy cluster, and what the doctor must say of it first. Each file of
 * scenes/ has those of one family of commands/doctor/knowledge/. A paragraph is a fault: its name, after `#` the source of the
 * texts, its steps, and after `=` the rule, the scope in parentheses, a pattern of the cause, and `do` with one of a command,
 * each of which may be missing. A step is `FORM OBJECT WORDS OPTION=VALUE | MESSAGE`, where OBJECT is a kind, with a colon and
 * the beginning of a name where there are several; OBJECT,OBJECT are two:
 *
 *     condition OBJECT TYPE=STATUS REASON     severity, ago (minutes), former (among those of v1beta1)
 *     refused OBJECT CONDITION                reason, ago: how CAPZ marks an object that Azure refuses
 *     azure OBJECT CONDITION STATUS CODE      service: the same, with Azure's answer around the message
 *     event OBJECT REASON                     count, ago
 *     pod SIDE NAMESPACE/NAME                 waiting, ended, restarts, image, node, age; MESSAGE || BACK-OFF of one that ended
 *     app                                     the same for a Pod on a Windows node
 *     remove SIDE OBJECT OBJECT               all of a kind, or those whose names begin so
 *     problem SIDE | JSON                     what cannot be read
 *     add SIDE | JSON                         an object
 *     copy OBJECT NAME                        age (minutes): another one like it
 *     set OBJECT | JSON                       a merge patch of an object
 *
 * {5 minutes ago} is a time, \n a new line, and \\n a backslash before an n.
 */

/** A fault, by an author who did not know the rules or by the rule that must name it. */
export interface Scene {
  readonly name: string;
  readonly make: (patient: Patient) => unknown;
  /** Source of the text of the condition or event. */
  readonly source?: string | undefined;
  readonly rule?: string | undefined;
  /** The scope that the report must name. Default: not checked. */
  readonly scope?: string | undefined;
  /** Pattern of the first cause. The proof, which quotes the message, does not count. */
  readonly cause?: RegExp | undefined;
  /** Pattern of at least one line of the remedy. */
  readonly remedy?: RegExp | undefined;
}

const image = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";

const objectOf = (p: Patient, name = ""): Loose => {
  const [kind = "", beginning] = name.split(/:(.*)/s);
  return p.get(kind, beginning);
};

const isWorkload = (p: Patient, { kind, metadata }: Loose): boolean =>
  p.all(kind, "workload").some((one) => one.metadata === metadata);

const fromJson = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function merge(object: Record<string, unknown>, patch: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(patch)) {
    const own = object[key];
    if (value === null) {
      Reflect.deleteProperty(object, key);
    } else if (isMapping(own) && isMapping(value)) {
      merge(own, value);
    } else {
      object[key] = value;
    }
  }
}

type Options = Readonly<Record<string, string>>;
type Form = (p: Patient, words: readonly string[], options: Options, message: string) => unknown;

/** The minutes and numbers among the options. */
const numbers = (options: Options) =>
  Object.fromEntries(
    Object.entries(options).map(([key, text]) => [key, /^\d+$/.test(text) ? Number(text) : text]),
  );

function podWith(p: Patient, side: Side, id: string, options: Options, text: string): Loose {
  const { waiting, ended, restarts = 0, image: own, node, age = 60 } = options;
  const [message = "", backOff = "back-off"] = text.split(" || ");
  const [namespace = "", name = ""] = id.split("/");
  const state = {
    ...(waiting === undefined
      ? {}
      : { waiting: [waiting, ended === undefined ? message : backOff] as const }),
    ...(ended === undefined ? {} : { ended: [ended, message] as const }),
    ...(own === undefined ? {} : { image: own }),
    restarts: Number(restarts),
  };
  const pod = p.pod(side, namespace, name, state, Number(age));
  if (node !== undefined) {
    pod.spec.nodeName = p.node(node).metadata.name;
  }
  return pod;
}

const forms: Readonly<Record<string, Form>> = {
  condition: (p, [name, is = "", reason = ""], { former, ...options }, message) => {
    const [type = "", status = ""] = is.split("=");
    const change = { status: status as "False", reason, message, former: former !== undefined };
    return p.condition(objectOf(p, name), type, { ...change, ...numbers(options) });
  },
  refused: (p, [name, type = ""], options, message) =>
    p.refused(objectOf(p, name), type, message, numbers(options)),
  azure: (p, [name, type = "", status, code = ""], { service, ...options }, message) =>
    p.refused(objectOf(p, name), type, azure(Number(status), code, message, service), numbers(options)),
  event: (p, [name, reason = ""], options, message) => {
    const object = objectOf(p, name);
    const side = isWorkload(p, object) ? "workload" : "management";
    return p.event(object, reason, message, { side, ...numbers(options) });
  },
  pod: (p, [side, id = ""], options, message) => podWith(p, side as Side, id, options, message),
  app: (p, _, options, message) => {
    const pod = podWith(p, "workload", "shop/web-6f7d9c-x2x7q", { image, node: "win1", ...options }, message);
    pod.spec.containers = [{ name: "web", image: options.image ?? image }];
  },
  remove: (p, [side, ...names]) => {
    names.forEach((name) => {
      const [kind, beginning = ""] = name.split(/:(.*)/s);
      p.remove(side as Side, (one) => one.kind === kind && one.metadata.name.startsWith(beginning));
    });
  },
  problem: (p, [side], _, json) =>
    p.problem(side as Side, fromJson(json) as unknown as Parameters<Patient["problem"]>[1]),
  add: (p, [side], _, json) => p.add(side as Side, fromJson(json) as Parameters<Patient["add"]>[1]),
  copy: (p, [from, name = ""], { age = 60 }) => {
    const old = objectOf(p, from);
    const metadata = { ...old.metadata, name, uid: name, creationTimestamp: p.ago(Number(age)) };
    p.add(isWorkload(p, old) ? "workload" : "management", structuredClone({ ...old, metadata }));
  },
  set: (p, [name], _, json) => {
    merge(objectOf(p, name) as unknown as Record<string, unknown>, fromJson(json));
  },
};

function take(p: Patient, written: string): void {
  const step = written.replace(/\{(-?\d+) minutes ago\}/g, (_, minutes) => p.ago(Number(minutes)));
  const [head = "", text = ""] = step.split(/ \| (.*)/s);
  const [form = "", ...words] = head.trim().split(" ");
  const isJson = ["problem", "add", "set"].includes(form);
  const message = isJson ? text : text.replace(/\\(\\?)n/g, (_, kept) => (kept === "" ? "\n" : "\\n"));
  const isOption = (word: string): boolean =>
    /^[a-z]+(?:=|$)/.test(word) && !/^(?:management|workload)$/.test(word);
  const options = Object.fromEntries(
    words.filter(isOption).map((word) => {
      const [key = "", value = ""] = word.split(/=(.*)/s);
      return [key, value];
    }),
  );
  const make = forms[form];
  if (make === undefined) {
    throw new Error(`no form ${form}: ${step}`);
  }
  const [first = "", ...others] = words.filter((word) => !isOption(word));
  for (const object of first.split(",")) {
    make(p, [object, ...others], options, message);
  }
}

function patternOf(text: string | undefined): RegExp | undefined {
  const [, source, flags] = /^\/([^]*)\/(\w*)$/.exec(text ?? "") ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}

/** A paragraph of scenes/. */
function sceneOf(paragraph: string): Scene {
  const [name = "", ...lines] = paragraph.trimEnd().split("\n");
  const after = (mark: string): string | undefined => lines.find((line) => line.startsWith(mark))?.slice(2);
  const [, rule, scope, cause, remedy] =
    /^([a-z][a-z0-9-]*)?(?: ?\((.*?)\))?(?: ?(\/.*?\/\w*))?(?: ?do (\/.*\/\w*))?$/.exec(after("= ") ?? "") ??
    [];
  return {
    ...{ name, source: after("# "), rule, scope, cause: patternOf(cause), remedy: patternOf(remedy) },
    make: (p) => {
      lines
        .filter((line) => !/^[#=] /.test(line))
        .forEach((step) => {
          take(p, step);
        });
    },
  };
}

const dir = join(__dirname, "scenes");

export const scenes: readonly Scene[] = readdirSync(dir)
  .sort()
  .flatMap((file) => readFileSync(join(dir, file), "utf8").split("\n\n").map(sceneOf));

export const sceneNamed = (name: string): Scene => scenes.find((scene) => scene.name === name)!;
