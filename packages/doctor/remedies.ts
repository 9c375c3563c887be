import { filledCommand, placeholderOf, type ShellValue, verbatim } from "capz-windows-kit/shell";
import type { World } from "./cluster/snapshot";
import { textAt } from "capz-windows-kit/untyped";
import { providerNamespaces } from "capz-windows-platform/cluster/providerNamespaces";
import { privilegedNamespaces } from "capz-windows-platform/cluster/podSecurity";
import { isInitialized } from "./rules/finders";
import type { Match } from "./rules/rule";
import { isWindowsPool, poolsOf, type Scope, scopeOf, poolIn } from "./cluster/scope";

/** Fills in the texts of a rule with the values that were found. */

/** The placeholder in a command for a value that was not found: NEW-LIMIT for `newLimit`. */
export const placeholder = placeholderOf;

/** Cuts a long value in its middle, because the innermost error, which is the reason, comes last. */
const shortened = (value: string): string => {
  const line = value.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 97)} ... ${line.slice(-198)}` : line;
};

export const filledIn = (
  text: string,
  vars: Readonly<Record<string, string>>,
  missing: (name: string) => string,
): string => text.replace(/\{(\w+)\}/g, (_, name: string) => shortened(vars[name] ?? missing(name)));

const grammar = (text: string): RegExp =>
  new RegExp(`^(?:${text.replaceAll("WORD", String.raw`[\w][\w/.:=-]*`)})$`);

/** Parts of commands that detectors make, of several words. Nothing else may stand in their places. */
const fragments: Readonly<Record<string, RegExp>> = {
  resume: grammar(
    String.raw`patch WORD WORD -n WORD --type merge -p '\{"spec":\{"paused":false\}\}'|annotate WORD WORD -n WORD WORD`,
  ),
  lacking: grammar("WORD(?: WORD)*"),
  machines: grammar("WORD(?: WORD)*"),
  thing: grammar("WORD WORD(?: -n WORD)?"),
};

/** Commands that change something: what they are about is never taken from a text that others can write. */
const changes =
  /\b(?:create|delete|update|add|remove|set|reset|patch|annotate|label|taint|scale|cordon|drain|approve|detach|register|start|restart|deallocate|purge|rm|apply|edit|invoke|rollout|credential|delete-instances|update-instances|network-rule|set-policy)\b/;

/** A line without the comment that says when to use it. */
const commandOf = (line: string): string => line.replace(/ {3}# [^{}]*$/, "");

/** Identities, roles and scopes. */
const rights = /--(?:assignee|assignee-object-id|role|scope)\b/;

interface Grant {
  readonly weakens: RegExp;
  /** What to do in place of a command that only a message asks for. */
  readonly instead: string;
  /** Whether only the namespaces of the program and of Cluster API need it. */
  readonly ofAddOns?: true;
}

/** Commands by what they weaken. A message alone is no reason for one: whoever gains by it may have written the message. */
const grants: readonly Grant[] = [
  {
    weakens: /\b(?:role assignment create|ad app credential|keyvault set-policy)\b/,
    instead:
      "npm run plan -- {stack}   # rights/rights.md has the roles that each identity of the stack needs; give no right because of a message alone",
  },
  {
    weakens: /\bpod-security\.kubernetes\.io\/enforce=/,
    instead:
      "Only add-ons need privileged Pods. Whoever may create them administers the nodes: allow them in no other namespace because of a message alone.",
    ofAddOns: true,
  },
  {
    weakens: /\bnetwork-rule add\b|\bendpoint-connection approve\b/,
    instead:
      "Have the owner of what refuses decide whether it admits the nodes (network-rule); open nothing because of a message alone.",
  },
  {
    weakens: /--allow-shared-key-access true\b/,
    instead:
      "Have the owner of the storage account decide whether it accepts keys (--allow-shared-key-access), which open all of it; a message alone is no reason.",
  },
  {
    weakens: /\bcertificate approve\b/,
    instead: "Approve no certificate because of a message alone; the approver knows the machines.",
  },
];

/** Namespaces that are known without any message. */
const addOnNamespaces: readonly string[] = [...privilegedNamespaces, ...providerNamespaces];

/** What a command is filled from: the proof of a finding, and the values that its detector found. */
type Source = Pick<Match, "isNamedOnly" | "proof" | "vars">;

/** Values that are the names of a finding's object. */
const ofObject = new Set(["kind", "name", "podNamespace"]);

/** Whether a value was taken from the text of a proof, and is no client of an identity's spec. */
function isFromText(name: string, value: string, source: Source, world: World): boolean {
  const { isNamedOnly, proof, vars = {} } = source;
  const isOfSpec = world
    .all("AzureClusterIdentity")
    .some(({ spec }) => proof.from === undefined && textAt(spec, "clientID") === value);
  if (isOfSpec || (name === "podNamespace" && addOnNamespaces.includes(value))) {
    return false;
  }
  const said = `${proof.from === undefined ? "" : proof.where} ${proof.text}`.toLowerCase();
  return (
    (isNamedOnly === true && ofObject.has(name)) ||
    (vars[name] === value && said.includes(value.toLowerCase()))
  );
}

/** The names in a line whose values were taken from a text that others can write. */
const fromTextIn = (
  line: string,
  vars: Readonly<Record<string, string>>,
  source: Source,
  world: World,
): string[] =>
  [...line.matchAll(/\{(\w+)\}/g)]
    .map(([, name = ""]) => name)
    .filter((name) => vars[name] !== undefined && isFromText(name, vars[name], source, world));

/** A line of a stack file or of a manifest, which has its values in braces or brackets. */
const yamlLine = /^[\w:.-]+: [[{]/;

/** A value in YAML's flow style. */
function yamlWord(value: string, name: string, before: string, after: string): string {
  if (/^[A-Za-z0-9/][\w./-]*$/.test(value)) {
    return value;
  }
  const isWhole = /[[{ ]$/.test(before) && /^[,}\]]/.test(after);
  return isWhole && value.length <= 300 && !/\p{C}/u.test(value) ? JSON.stringify(value) : placeholder(name);
}

/** A line of a remedy with its values: a command, a line of YAML, or a sentence, which has the rules of commands. */
export function filledLine(line: string, vars: Readonly<Record<string, string>>): string {
  const [, yaml = "", comment = line] = yamlLine.test(line)
    ? (/^(.*?)((?<!\s)\s+#.*|)$/.exec(line) ?? [])
    : [];
  const filled = yaml.replace(/\{(\w+)\}/g, (all: string, name: string, index: number) =>
    yamlWord(vars[name] ?? placeholder(name), name, yaml.slice(0, index), yaml.slice(index + all.length)),
  );
  const values = Object.entries(vars).map(([name, value]): [string, ShellValue] => [
    name,
    fragments[name]?.test(value) === true ? verbatim(value) : value,
  ]);
  return `${filled}${filledCommand(comment, Object.fromEntries(values))}`;
}

/** Words after which a sentence needs a noun. After any other word, which is the noun, a name can be left out. */
const needsNoun =
  /^(?:and|are|as|at|been|by|for|from|in|is|its|of|on|only|or|reach|reports|than|to|which|with)$/i;

const nounOf = (name: string): string =>
  /^(?:limit|required|used)$/.test(name)
    ? "an unknown number"
    : `the ${name.replace(/([A-Z])/g, " $1").toLowerCase()}`;

/** Fills in a sentence. Where a value was not found, it says "the node" or leaves the name out. */
export function sentenceOf(text: string, vars: Readonly<Record<string, string>>): string {
  const unlessMissing = (all: string, name: string): string => (vars[name] === undefined ? "" : all);
  const sentence = text
    .replace(/ \(\{(\w+)\}\)/g, unlessMissing)
    .replace(/[:,] \{(\w+)\}(?=[.;:])/g, unlessMissing)
    .replace(/: \{(\w+)\}$/, (all, name: string) => unlessMissing(all, name) || ".")
    .replace(/(?<![^\s{}])([^\s{}]*)( ?)\{(\w+)\}/g, (_, word: string, space: string, name: string) => {
      const value = vars[name];
      if (value !== undefined) {
        return `${word}${space}${shortened(value)}`;
      }
      return /\w$/.test(word) && !needsNoun.test(word) ? word : `${word}${space}${nounOf(name)}`;
    })
    // What is quoted may end with a full stop of its own.
    .replace(/(?<!\.)\.\.(?=\s|$)/g, ".");
  // Names at the beginning keep their case; nouns do not.
  return /^(?:the|an) /.test(sentence) ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

/** What a refusal of Azure says of rights. */
const ofRights = /\{(?:action|client|linked|scope)\}/g;

/** The cause of a rule with its values. An identity, an action or a scope that only an Event names is quoted as its word. */
export function causeOf(
  text: string,
  vars: Readonly<Record<string, string>>,
  { proof, vars: said = {} }: Source,
): string {
  const names = (text.match(ofRights) ?? []).map((name) => name.slice(1, -1));
  const quoted = names.filter((name) => proof.from === "event" && said[name] !== undefined);
  if (quoted.length === 0) {
    return sentenceOf(text, vars);
  }
  const marked = quoted.map((name) => [name, `"${vars[name] ?? ""}"`] as const);
  return `${sentenceOf(text, { ...vars, ...Object.fromEntries(marked) })} What is in quotes is the word of the Event, which others can write.`;
}

const poolLine = /^capz-windows:windowsPools: \{\{pool\}: (\{.*\})\}(.*)$/;

/**
 * Changes a line for the stack file, which rules write for Windows pools, if the finding is about a Linux pool or the
 * control plane.
 */
function placed(line: string, scope: Scope, world: World): string {
  const [, settings, comment] = poolLine.exec(line) ?? [];
  const pool = poolIn(scope);
  if (settings === undefined || scope === "cluster") {
    return line;
  }
  return pool === undefined
    ? `capz-windows:controlPlane: ${settings}${comment ?? ""}`
    : `capz-windows:${isWindowsPool(world, pool) ? "windowsPools" : "linuxPools"}: {${yamlWord(pool, "pool", "", "")}: ${settings}}${comment ?? ""}`;
}

/**
 * In place of a command that deletes the only machine of the control plane: Cluster API v1.14.2 begins a new cluster then
 * (kubeadmcontrolplane_controller.go, initializeControlPlane), with an empty etcd.
 */
const keepMachine =
  "Do not delete the Machine: it is the only one of the control plane, and Cluster API would make an empty cluster in its place. If its virtual machine is gone for good, restore etcd from a snapshot into a new one.";

function guarded(line: string, scope: Scope, world: World): string {
  const isAlone = world.all("Machine").filter((one) => scopeOf(one, world) === "control-plane").length <= 1;
  return scope === "control-plane" &&
    isAlone &&
    isInitialized(world) &&
    line.startsWith("kubectl delete machine ")
    ? keepMachine
    : line;
}

/** Patterns of commands that are only for machines of one kind. */
const only = {
  scaleSet: /^az vmss |^az rest .*virtualMachineScaleSets/,
  virtualMachine: /^(?:az vm .*\{vm\}|kubectl delete machine \{singleMachine\})/,
  worker: "kubectl delete machine {machine}",
};

/**
 * Whether a line applies to what was found: a rule has commands for scale sets and single machines, Windows and Linux.
 */
function fits(line: string, scope: Scope, world: World): boolean {
  const pool = poolIn(scope);
  if (scope === "cluster") {
    return true;
  }
  const isScaleSet = poolsOf(world).some(
    ({ kind, metadata }) => kind === "MachinePool" && metadata.name === pool,
  );
  const isWindows = pool !== undefined && isWindowsPool(world, pool);
  return (
    (isScaleSet || !only.scaleSet.test(line)) &&
    (!isScaleSet || !only.virtualMachine.test(line)) &&
    (scope !== "control-plane" || !(line.startsWith(only.worker) || line.includes("{replicas: FEWER}"))) &&
    (isWindows || !line.includes("RunPowerShellScript")) &&
    (!isWindows || !line.includes("RunShellScript"))
  );
}

/**
 * The lines of a remedy with their values. What a command changes, and for whom, comes from the stack or from objects, never from
 * the text of an Event; identities, roles and scopes also not from that of a condition: there the reader finds words in capitals.
 */
export const remedyOf = (
  remedy: readonly string[],
  vars: Readonly<Record<string, string>>,
  scope: Scope,
  world: World,
  source: Source,
): string[] => {
  const isOfOthers = source.proof.from !== undefined;
  const filled = (template: string): string => {
    const isAsked = rights.test(template) && fromTextIn(template, vars, source, world).length > 0;
    const isRefused = ({ ofAddOns }: Grant): boolean =>
      ofAddOns === true ? !addOnNamespaces.includes(vars.podNamespace ?? "") : isOfOthers || isAsked;
    const grant = grants.find(({ weakens }) => weakens.test(template));
    const line = grant !== undefined && isRefused(grant) ? grant.instead : template;
    const isGuarded = rights.test(line) || (isOfOthers ? changes.test(commandOf(line)) : grant !== undefined);
    const withheld = isGuarded ? fromTextIn(line, vars, source, world) : [];
    return filledLine(
      line,
      Object.fromEntries(Object.entries(vars).filter(([name]) => !withheld.includes(name))),
    );
  };
  // A Pod is of the cluster, and lines about its pool are written for that pool.
  const place: Scope = scope === "cluster" && vars.pool !== undefined ? `pool ${vars.pool}` : scope;
  const lines = remedy
    .filter((line) => fits(line, place, world))
    .map((line) => guarded(line, scope, world))
    .map((line) => filled(placed(line, place, world)));
  return [...new Set(lines)];
};

/** Where a text comes from that others can write, if commands have values of it, or leave them out because of that. */
export function originOf(
  remedy: readonly string[],
  vars: Readonly<Record<string, string>>,
  source: Source,
  world: World,
): string | undefined {
  if (
    source.proof.from === undefined ||
    !remedy.some((line) => fromTextIn(line, vars, source, world).length > 0)
  ) {
    return undefined;
  }
  return source.proof.from === "event"
    ? "from an Event, which others can write"
    : "from a container, whose program can write anything";
}
