import type { Side } from "capz-windows-doctor/cluster/snapshot";
import { isRecord } from "capz-windows-kit/untyped";
import { cordon, podOfWords, realEvent } from "./calm/objects";
import { grown, instance, scaling } from "./calm/rolling";
import type { Loose, Patient } from "./patient";
import * as states from "./states";

/** The steps of a paragraph of scenes/ and edges/; scenes.ts has the list of them. */

const image = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";

const objectOf = (p: Patient, name = ""): Loose => {
  const [kind = "", beginning] = name.split(/:(.*)/s);
  return p.get(kind, beginning);
};

const isWorkload = (p: Patient, { kind, metadata }: Loose): boolean =>
  p.all(kind, "workload").some((one) => one.metadata === metadata);

const fromJson = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

function merge(object: Record<string, unknown>, patch: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(patch)) {
    const own = object[key];
    if (value === null) {
      Reflect.deleteProperty(object, key);
    } else if (isRecord(own) && isRecord(value)) {
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
    p.refused(
      objectOf(p, name),
      type,
      states.azure(Number(status), code, message, service),
      numbers(options),
    ),
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
  "pool-refused": (p, [name = "", status, code = ""], _, message) => {
    states.pool(p, name, states.azure(Number(status), code, message));
  },
  "first-refused": (p, [status, code = ""], _, message) => {
    states.firstMachine(p, states.azure(Number(status), code, message, "virtualmachine"), code);
  },
  "failed-machine": states.failedMachine,
  "not-joined": states.notJoined,
  "not-initialized": states.notInitialized,
  unready: (p, [name = ""], { ago }) => states.unready(p, name, states.cniMissing, Number(ago ?? 30)),
  upgraded: (p, [name = "", wanted = "", image = ""]) => {
    if (name === "control-plane") {
      states.upgradedControlPlane(p, wanted);
    } else {
      states.upgradedPool(p, name, wanted, image);
    }
  },
  draining: (p, _, { ago }, message) => states.deletedMachine(p, message, Number(ago)),
  "left-node": (p, _, { ago }) => states.leftNode(p, Number(ago)),
  pending: (p, [name = "", ...labels], { ago = "12", os }, message) => {
    const system = os === undefined ? {} : { "kubernetes.io/os": os };
    const others = Object.fromEntries(labels.map((label) => label.split("=") as [string, string]));
    states.pending(p, name, { ...system, ...others }, message, Number(ago));
  },
  real: (p, [id = ""], options, message) => {
    podOfWords(p, id, options, message);
  },
  "real-event": (p, [name, reason = ""], options, message) => {
    realEvent(p, objectOf(p, name), reason, message, numbers(options));
  },
  recovered: (p, [name]) => {
    Object.assign((objectOf(p, name).status.containerStatuses as object[])[0]!, { ready: true });
  },
  service: (p, [name = ""], _, json) =>
    p.add("workload", {
      ...{ kind: "Service", metadata: { name, namespace: "shop", creationTimestamp: p.ago(900) } },
      spec: { type: "ClusterIP", clusterIP: "10.96.0.9", ...fromJson(json) },
      status: { loadBalancer: {} },
    }),
  cordon: (p, [name = ""], { ago }) => cordon(p, name, Number(ago)),
  grown: (p) => {
    grown(p, "win1");
  },
  scaling: (p, [replicas], { ago }) => {
    scaling(p, Number(replicas), Number(ago));
  },
  instance: (p, [name = ""], { ago }, json) => instance(p, name, Number(ago), fromJson(json)),
  "lacks-node": states.lacksNode,
  taint: (p, [name = ""], _, json) => {
    p.node(name).spec.taints = [fromJson(json)];
  },
  named: (p, [id = ""]) => {
    const [name = "", namespace = ""] = id.split("/");
    p.cluster = { name, namespace };
  },
  set: (p, [name], _, json) => {
    merge(objectOf(p, name) as unknown as Record<string, unknown>, fromJson(json));
  },
};

/** Takes a step. */
export function take(p: Patient, written: string): void {
  const step = written.replace(/\{(-?\d+) minutes ago\}/g, (_, minutes) => p.ago(Number(minutes)));
  const [head = "", text = ""] = step.split(/ \| (.*)/s);
  const [form = "", ...words] = head.trim().split(" ");
  const isJson = ["problem", "add", "set", "taint", "service", "ingress", "instance"].includes(form);
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
