import { Secret, Unknown, type Recording } from "pulumi-plan-engine";
import { at, isRecord, list, strings, text, textAt, type Plain } from "capz-windows-kit/untyped";

/**
 * What a program registers, after inheritance and transforms: as packages/plan-engine records it, and as the real engine saves
 * it with a preview. The real one says the goal of each resource in its plan file (`preview --save-plan`), and what is not there
 * in the new state of each step (`preview --json`).
 *
 * Neither has what the engine uses only to choose or configure a provider: versions and download URLs of plug-ins (but for
 * explicit providers), packages, and the providers that a component hands down. Of the latter, the children's own provider is
 * compared. Aliases of former types of azure-native are left out on both sides, as in every plan.
 */
export type Recorded = Readonly<Record<string, unknown>>;
type ByUrn = Readonly<Record<string, Recorded>>;

/** Without what is not set: an option that is absent and one that is empty are the same to an engine. */
const set = (fields: Plain): Plain =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== undefined &&
        value !== "" &&
        !(Array.isArray(value) && value.length === 0) &&
        !(isRecord(value) && Object.keys(value).length === 0),
    ),
  );

/** A value in which secrets and unknowns are marked; secrets keep their contents. */
function marked(value: unknown): unknown {
  if (value instanceof Secret) {
    return { secret: marked(value.value) };
  }
  if (value instanceof Unknown) {
    return { unknown: true };
  }
  if (Array.isArray(value)) {
    return value.map(marked);
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, marked(inner)]))
    : value;
}

const isProvider = (type: string): boolean => type.startsWith("pulumi:providers:");

/** Seconds of a duration of Go, such as "1h30m". */
const seconds = (duration: unknown): number =>
  [...String(duration).matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * { h: 3600, m: 60, s: 1 }[unit as "h" | "m" | "s"],
    0,
  );

/** The recording of the offline engine, by URN. */
export function offlineRecording({ resources, reads }: Recording): ByUrn {
  const registered = resources.map((resource) => {
    const { urn, type, name, custom, parent, provider, dependencies } = resource;
    const { version, customTimeouts = {}, ...options } = resource.options;
    const timeouts = Object.entries(customTimeouts).map(([key, value]) => [key, seconds(value)]);
    const recorded = set({
      ...{ type, name, custom, parent, provider, dependencies },
      inputs: marked(resource.inputs),
      propertyDependencies: resource.propertyDependencies,
      registeredOutputs: marked(resource.registeredOutputs),
      options: set({
        ...options,
        customTimeouts: Object.fromEntries(timeouts) as Plain,
        version: isProvider(type) ? version : undefined,
      }),
    });
    return [urn, recorded] as const;
  });
  const read = reads.map(({ urn, type, name, parent, id, provider, dependencies, inputs }) => {
    const recorded = set({ type, name, parent, id: marked(id), provider, dependencies });
    return [urn, set({ ...recorded, inputs: marked(inputs) })] as const;
  });
  return Object.fromEntries([...registered, ...read]);
}

const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const signatureKey = "4dabf18193072939515e22adb298388d";

/** Values as a state file has them, with secrets that are not encrypted yet. */
export function inState(value: unknown): unknown {
  if (value instanceof Secret) {
    return { [signatureKey]: secretSignature, plaintext: JSON.stringify(value.value) };
  }
  if (Array.isArray(value)) {
    return value.map(inState);
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inState(inner)]))
    : value;
}

const resourceSignature = "5cf8f73096256a8f31e491e813e4eb8e";
const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * Values of a plan file, marked in the same way, without the decoder of the offline engine. With `--show-secrets`, a secret is
 * the JSON text of its value.
 */
function decoded(value: unknown): unknown {
  if (value === unknownValue) {
    return { unknown: true };
  }
  if (Array.isArray(value)) {
    return value.map(decoded);
  }
  if (!isRecord(value)) {
    return value;
  }
  if (value[signatureKey] === secretSignature) {
    return { secret: decoded(JSON.parse(text(value.plaintext))) };
  }
  if (value[signatureKey] === resourceSignature) {
    // The ID of a resource that does not exist yet is empty.
    return set({ urn: value.urn, id: value.id === "" ? { unknown: true } : decoded(value.id) });
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decoded(inner)]));
}

/** A resource without a provider gets the default one, which the engine makes: here of StackReference, of Pulumi's own. */
const isDefault = (urn: string): boolean => /::pulumi:providers:[^:]+::default/.test(urn);

function providerOf(reference: string): Plain | undefined {
  const cut = reference.lastIndexOf("::");
  const [urn, id] = [reference.slice(0, cut), reference.slice(cut + 2)];
  if (isDefault(urn)) {
    return undefined;
  }
  return set({ urn, name: urn.split("::").slice(3).join("::"), id: id === unknownValue ? undefined : id });
}

const sorted = (value: unknown): string[] => [...new Set(strings(value))].sort();

const isFormerType = (alias: Plain): boolean =>
  alias.name === undefined && /^azure-native:.*\/v[0-9]{8}/.test(text(alias.type));

const aliasesOf = (goal: unknown): unknown[] => [
  ...strings(at(goal, "aliases")),
  ...list(at(goal, "structuredAliases"))
    .map(({ URN, Name, Type, Stack, Project, Parent, NoParent }) =>
      set({
        ...{ urn: URN, name: Name, type: Type, stack: Stack, project: Project },
        parent: NoParent === true ? "none" : Parent,
      }),
    )
    .filter((alias) => !isFormerType(alias))
    .map((alias) => alias.urn ?? alias),
];

const hooksOf = (state: Plain): Plain =>
  Object.fromEntries(
    Object.entries((state.resourceHooks ?? {}) as Plain).map(([moment, names]) => [
      moment[0]!.toLowerCase() + moment.slice(1),
      names,
    ]),
  );

const propertyDependenciesOf = (goal: unknown): Plain =>
  set(
    Object.fromEntries(
      Object.entries((at(goal, "propertyDependencies") ?? {}) as Plain).map(([key, urns]) => [
        key,
        sorted(urns),
      ]),
    ),
  );

const optionsOf = (goal: Plain, state: Plain): Plain =>
  set({
    protect: goal.protect === true ? true : undefined,
    deleteBeforeReplace: goal.deleteBeforeReplace,
    ignoreChanges: goal.ignoreChanges,
    additionalSecretOutputs: goal.additionalSecretOutputs,
    customTimeouts: goal.customTimeouts,
    aliases: aliasesOf(goal),
    retainOnDelete: state.retainOnDelete,
    deletedWith: state.deletedWith,
    replaceOnChanges: state.replaceOnChanges,
    replaceWith: sorted(state.replaceWith),
    replacementTrigger: state.replacementTrigger,
    hideDiffs: state.hideDiff,
    importId: state.importID,
    hooks: hooksOf(state),
    version: isProvider(text(state.type)) ? at(state, "inputs", "version") : undefined,
  });

/** The engine adds the plug-in's version to the inputs of a provider; it is compared as an option. */
const inputsOf = (type: string, goal: unknown): Plain =>
  Object.fromEntries(
    Object.entries((at(goal, "inputDiff", "adds") ?? {}) as Plain).filter(
      ([key]) => !(isProvider(type) && key === "version"),
    ),
  );

/** What the real engine says of one resource that it would make, or read where there is no goal. */
function ofStep(state: Plain, goal: unknown): Recorded {
  const common = {
    type: state.type,
    name: textAt(state, "urn").split("::").slice(3).join("::"),
    parent: state.parent,
    provider: typeof state.provider === "string" ? providerOf(state.provider) : undefined,
    dependencies: sorted(state.dependencies),
  };
  if (!isRecord(goal)) {
    return set({ ...common, id: decoded(state.id), inputs: decoded(state.inputs) });
  }
  return set({
    ...common,
    custom: goal.custom,
    inputs: decoded(inputsOf(text(state.type), goal)),
    propertyDependencies: propertyDependenciesOf(goal),
    registeredOutputs: decoded(at(goal, "outputDiff", "adds")),
    options: optionsOf(goal, state),
  });
}

/**
 * The recording of the real engine, by URN.
 * @param preview - output of `pulumi preview --json --save-plan FILE --show-secrets` of a stack that has nothing yet
 * @param plan - content of that file
 */
export function engineRecording(preview: string, plan: string): ByUrn {
  const { steps } = JSON.parse(preview.slice(preview.indexOf("{"))) as Plain;
  const goals = at(JSON.parse(plan), "resourcePlans");
  return Object.fromEntries(
    list(steps)
      .map(({ newState }) => newState as Plain)
      .map((state) => [text(state.urn), ofStep(state, at(goals, text(state.urn), "goal"))]),
  );
}
