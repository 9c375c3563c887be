import type { ChangeKind, PropertyChange, ResourceChange, StackDiff } from "./stackDiff";
import { listsOfOptions, listsOfType, orderedLists } from "./listTables";
import type { Match } from "./match";
import { matchResources } from "./match";
import { withoutPaths } from "./paths";
import type { PlanDocument, PlanResource } from "../model/planDocument";
import { isOwnComponent } from "../model/resourceTypes";
import { differences } from "./properties";
import { replacingPaths } from "./replacement";

const resourceGroupType = "azure-native:resources:ResourceGroup";

const isProviderType = (type: string): boolean => type.startsWith("pulumi:providers:");

/** Options that say what Pulumi does; versions of providers are told once, and aliases have done their work. */
const comparedOptions = [
  ...["protect", "retainOnDelete", "deleteBeforeReplace", "ignoreChanges", "replaceOnChanges"],
  ...["customTimeouts", "deletedWith", "replaceWith", "replacementTrigger", "hooks"],
] as const;

const optionsOf = (resource: PlanResource) =>
  Object.fromEntries(
    // The version of an SDK is told by its provider alone; older plans have it on each resource.
    [...comparedOptions, ...(isProviderType(resource.type) ? ["version"] : [])].map((name) => [
      name,
      resource.options[name],
    ]),
  );

/** Texts that name a resource by a URN which is no longer its own. */
function renamed<T>(value: T, names: ReadonlyMap<string, string>): T {
  return names.size === 0
    ? value
    : (JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
        typeof inner === "string" ? (names.get(inner) ?? inner) : inner,
      ) as T);
}

function propertiesOf(before: PlanResource, after: PlanResource): PropertyChange[] {
  if (isOwnComponent(after.type)) {
    // Inputs of a component say what the program asked for; its children say it again, to those who carry it out.
    return [];
  }
  const ignored = (after.options.ignoreChanges ?? []) as readonly string[];
  const [old, fresh] = [before, after].map(({ inputs }) => withoutPaths(inputs, ignored));
  return differences(old, fresh, listsOfType(after.type));
}

/**
 * URNs of what is replaced and takes others along: a provider, which then is another cluster's, and a resource group,
 * which Azure empties.
 */
type Replaced = ReadonlySet<string>;

const isTakenAlong = ({ provider = "", inputs, dependencies }: PlanResource, replaced: Replaced): boolean =>
  replaced.has(provider) ||
  (inputs.resourceGroupName !== undefined && dependencies.some((urn) => replaced.has(urn)));

function changeOf(
  { before, after }: Match,
  providers: ReadonlyMap<string, PlanResource>,
  replaced: Replaced,
  names: ReadonlyMap<string, string>,
): ResourceChange | undefined {
  const resource = after ?? before;
  if (resource === undefined) {
    return undefined;
  }
  const { urn, type, name } = resource;
  const base = { urn, type, name };
  if (before === undefined || after === undefined) {
    return { ...base, kind: after ? "create" : "delete", properties: [], options: [] };
  }
  const properties = propertiesOf(before, after);
  const options = differences(renamed(optionsOf(before), names), optionsOf(after), listsOfOptions);
  const formerUrn = before.urn === after.urn ? {} : { formerUrn: before.urn };
  const forced = replacingPaths(
    after,
    providers.get(after.provider ?? ""),
    properties.map(({ path }) => path),
  );
  const isReplaced = forced.length > 0 || isTakenAlong(after, replaced);
  return isReplaced || properties.length > 0 || options.length > 0
    ? { ...base, ...formerUrn, kind: isReplaced ? "replace" : "update", properties, options }
    : undefined;
}

const kindOrder: readonly ChangeKind[] = ["delete", "replace", "update", "create"];

const byKindAndUrn = (a: ResourceChange, b: ResourceChange): number =>
  kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || (a.urn < b.urn ? -1 : a.urn > b.urn ? 1 : 0);

/** Providers and resource groups first: what they take along hangs on them. */
const isGround = ({ before, after }: Match): boolean => {
  const { type = "" } = after ?? before ?? {};
  return isProviderType(type) || type === resourceGroupType;
};

/** User data, file by file; nothing where a side is of a release that did not write it. */
function nodeChanges(before: PlanDocument, after: PlanDocument): PropertyChange[] {
  if (before.nodes === undefined || after.nodes === undefined) {
    return [];
  }
  const { nodes: old } = before;
  const { nodes: fresh } = after;
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .sort()
    .flatMap((path) => differences(old[path], fresh[path], orderedLists, path));
}

/** Compares two plans of one stack. Pure; the order of resources and of what has no order makes no difference. */
export function comparePlans(before: PlanDocument, after: PlanDocument): StackDiff {
  const matches = matchResources(before.resources, after.resources);
  const names = new Map(
    matches.flatMap((match) =>
      match.before && match.after && match.before.urn !== match.after.urn
        ? [[match.before.urn, match.after.urn] as const]
        : [],
    ),
  );
  const providers = new Map(after.resources.map((resource) => [resource.urn, resource]));
  const none: Replaced = new Set();
  const changed = (match: Match, replaced: Replaced) => changeOf(match, providers, replaced, names);
  const ground = matches.filter(isGround).flatMap((match) => changed(match, none) ?? []);
  const replaced = new Set(ground.filter(({ kind }) => kind === "replace").map(({ urn }) => urn));
  const changes = [
    ...ground,
    ...matches.filter((match) => !isGround(match)).flatMap((match) => changed(match, replaced) ?? []),
  ].sort(byKindAndUrn);
  return {
    project: after.project,
    stack: after.stack,
    changes,
    unchanged: matches.length - changes.length,
    outputs: differences(before.outputs, after.outputs),
    nodes: nodeChanges(before, after),
    warnings: after.warnings.filter((text) => !before.warnings.includes(text)),
    fixedWarnings: before.warnings.filter((text) => !after.warnings.includes(text)),
  };
}
