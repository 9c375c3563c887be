import type { ChangeKind, PropertyChange, ResourceChange, StackDiff } from "./stackDiff";
import { listsOfOptions, listsOfType, orderedLists } from "./listTables";
import { type ResourcePair, matchResources } from "./match";
import { withoutPaths } from "./paths";
import { indexByUrn } from "../model/order";
import { warningsOnlyIn } from "../../../tools/warningText";
import type { PlanDocument, PlanResource } from "../model/planDocument";
import { isOwnComponent, isProvider } from "../model/resourceTypes";
import { hiddenDiff } from "./hiddenChanges";
import { differences } from "./properties";
import { replacingPaths } from "./replacement";

const resourceGroupType = "azure-native:resources:ResourceGroup";

/** Options that say what Pulumi does. Aliases have been resolved before, and the version of an SDK is compared once. */
const comparedOptions = [
  ...["protect", "retainOnDelete", "deleteBeforeReplace", "ignoreChanges", "replaceOnChanges"],
  ...["customTimeouts", "deletedWith", "replaceWith", "replacementTrigger", "hooks"],
] as const;

const optionsOf = (resource: PlanResource) =>
  Object.fromEntries(
    // Only a provider's version is compared: plans of older releases have it on each resource too.
    [...comparedOptions, ...(isProvider(resource.type) ? ["version"] : [])].map((name) => [
      name,
      resource.options[name],
    ]),
  );

/** Texts that refer to a resource by its former URN. */
function renamed<T>(value: T, names: ReadonlyMap<string, string>): T {
  return names.size === 0
    ? value
    : (JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
        typeof inner === "string" ? (names.get(inner) ?? inner) : inner,
      ) as T);
}

function propertiesOf(base: PlanResource, head: PlanResource): PropertyChange[] {
  const ignored = (head.options.ignoreChanges ?? []) as readonly string[];
  const [baseInputs, headInputs] = [base, head].map(({ inputs }) => withoutPaths(inputs, ignored));
  return differences(baseInputs, headInputs, listsOfType(head.type));
}

/**
 * URNs of resources that are replaced along with everything in them: a provider, which then belongs to another cluster,
 * and a resource group, which Azure deletes with its contents.
 */
type Replaced = ReadonlySet<string>;

const isReplacedAlong = (
  { provider = "", inputs, dependencies }: PlanResource,
  replaced: Replaced,
): boolean =>
  replaced.has(provider) ||
  (inputs.resourceGroupName !== undefined && dependencies.some((urn) => replaced.has(urn)));

function changeOf(
  { base, head }: ResourcePair,
  providers: ReadonlyMap<string, PlanResource>,
  replaced: Replaced,
  names: ReadonlyMap<string, string>,
): ResourceChange | undefined {
  const resource = head ?? base;
  if (resource === undefined) {
    return undefined;
  }
  const { urn, type, name } = resource;
  const common = { urn, type, name };
  if (base === undefined || head === undefined) {
    return { ...common, kind: head ? "create" : "delete", properties: [], options: [] };
  }
  const properties = propertiesOf(base, head);
  const options = differences(renamed(optionsOf(base), names), optionsOf(head), listsOfOptions);
  const formerUrn = base.urn === head.urn ? {} : { formerUrn: base.urn };
  const forced = replacingPaths(
    head,
    providers.get(head.provider ?? ""),
    properties.map(({ path }) => path),
  );
  const isReplaced = forced.length > 0 || isReplacedAlong(head, replaced);
  // Inputs of a component are not shown: its children have the same values. Pulumi itself counts the component as changed,
  // too.
  const shown = isOwnComponent(type) ? [] : properties;
  return isReplaced || properties.length > 0 || options.length > 0
    ? { ...common, ...formerUrn, kind: isReplaced ? "replace" : "update", properties: shown, options }
    : undefined;
}

const kindOrder: readonly ChangeKind[] = ["delete", "replace", "update", "create"];

const byKindAndUrn = (a: ResourceChange, b: ResourceChange): number =>
  kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || (a.urn < b.urn ? -1 : a.urn > b.urn ? 1 : 0);

/** Providers and resource groups, whose replacement replaces other resources. */
const isContainer = ({ base, head }: ResourcePair): boolean => {
  const { type = "" } = head ?? base ?? {};
  return isProvider(type) || type === resourceGroupType;
};

/** User data, file by file; empty if a side was planned by a release that did not write it. */
function nodeChanges(base: PlanDocument["nodes"], head: PlanDocument["nodes"]): PropertyChange[] {
  return base === undefined || head === undefined
    ? []
    : [...new Set([...Object.keys(base), ...Object.keys(head)])]
        .sort()
        .flatMap((path) => differences(base[path], head[path], orderedLists, path));
}

/** Compares two plans of one stack. The order of resources, and of lists whose order has no meaning, does not count. */
export function diffPlans(base: PlanDocument, head: PlanDocument): StackDiff {
  const matches = matchResources(base.resources, head.resources);
  const names = new Map(
    matches.flatMap((match) =>
      match.base && match.head && match.base.urn !== match.head.urn
        ? [[match.base.urn, match.head.urn] as const]
        : [],
    ),
  );
  const providers = indexByUrn(head.resources);
  const none: Replaced = new Set();
  const changed = (match: ResourcePair, replaced: Replaced) => changeOf(match, providers, replaced, names);
  const containers = matches.filter(isContainer).flatMap((match) => changed(match, none) ?? []);
  const replaced = new Set(containers.filter(({ kind }) => kind === "replace").map(({ urn }) => urn));
  const changes = [
    ...containers,
    ...matches.filter((match) => !isContainer(match)).flatMap((match) => changed(match, replaced) ?? []),
  ].sort(byKindAndUrn);
  return hiddenDiff({
    project: head.project,
    stack: head.stack,
    changes,
    unchanged: matches.length - changes.length,
    outputs: differences(base.outputs, head.outputs),
    nodes: nodeChanges(base.nodes, head.nodes),
    warnings: warningsOnlyIn(head.warnings, base.warnings),
    fixedWarnings: warningsOnlyIn(base.warnings, head.warnings),
  });
}
