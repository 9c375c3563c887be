import { compareTexts } from "capz-windows-kit/byName";
import type { ChangeKind, PropertyChange, ResourceChange, StackDiff } from "./stackDiff";
import { listsOfOptions, listsOfType, orderedLists } from "./listTables";
import { type ResourcePair, matchResources } from "./match";
import { withoutPaths } from "./paths";
import { indexByUrn } from "../model/order";
import { warningsOnlyIn } from "capz-windows-kit/warningText";
import type { PlanDocument, PlanResource } from "capz-windows-contract";
import type { ComparedPlan } from "../model/planDocument";
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

/**
 * @param gone - resources that are replaced for any reason. The engine replaces a component that is deleted with one of them
 * (pulumi v3.274 pkg/resource/deploy/step_generator.go)
 */
const isReplacedAlong = (
  { type, provider = "", inputs, dependencies, options }: PlanResource,
  containers: Replaced,
  gone: ReadonlySet<string>,
): boolean =>
  containers.has(provider) ||
  (inputs.resourceGroupName !== undefined && dependencies.some((urn) => containers.has(urn))) ||
  (isOwnComponent(type) && gone.has(String(options.deletedWith)));

function changeOf(
  { base, head }: ResourcePair,
  providers: ReadonlyMap<string, PlanResource>,
  replaced: Replaced,
  gone: ReadonlySet<string>,
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
  const isReplaced = forced.length > 0 || isReplacedAlong(head, replaced, gone);
  // Inputs of a component are not shown: its children have the same values. Pulumi itself counts the component as changed,
  // too.
  const shown = isOwnComponent(type) ? [] : properties;
  return isReplaced || properties.length > 0 || options.length > 0
    ? { ...common, ...formerUrn, kind: isReplaced ? "replace" : "update", properties: shown, options }
    : undefined;
}

const kindOrder: readonly ChangeKind[] = ["delete", "replace", "update", "create"];

const byKindAndUrn = (a: ResourceChange, b: ResourceChange): number =>
  kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || compareTexts(a.urn, b.urn);

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

const replacedIn = (changes: readonly ResourceChange[]): Set<string> =>
  new Set(changes.filter(({ kind }) => kind === "replace").map(({ urn }) => urn));

/**
 * The changes, with the replacements that follow from others: what is deleted with a resource may have more that are deleted
 * with it.
 * @param boundTo - changes of the resources that are deleted with others, if these are replaced
 */
function withDeleted(
  changes: readonly ResourceChange[],
  containers: Replaced,
  boundTo: (gone: ReadonlySet<string>) => readonly ResourceChange[],
): readonly ResourceChange[] {
  const gone = new Set([...containers, ...replacedIn(changes)]);
  const more = boundTo(gone).filter(({ kind, urn }) => kind === "replace" && !gone.has(urn));
  const urns = replacedIn(more);
  return more.length === 0
    ? changes
    : withDeleted([...changes.filter(({ urn }) => !urns.has(urn)), ...more], containers, boundTo);
}

/** Compares two plans of one stack. The order of resources, and of lists whose order has no meaning, does not count. */
export function diffPlans(base: ComparedPlan, head: ComparedPlan): StackDiff {
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
  const changesOf = (pairs: readonly ResourcePair[], containers: Replaced, gone: ReadonlySet<string>) =>
    pairs.flatMap((pair) => changeOf(pair, providers, containers, gone, names) ?? []);
  const containers = changesOf(matches.filter(isContainer), none, none);
  const others = matches.filter((match) => !isContainer(match));
  const replaced = replacedIn(containers);
  const following = withDeleted(changesOf(others, replaced, none), replaced, (gone) => {
    const bound = others.filter(({ head }) => head?.options.deletedWith !== undefined);
    return changesOf(bound, replaced, gone);
  });
  const changes = [...containers, ...following].sort(byKindAndUrn);
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
