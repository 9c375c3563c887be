import { fileURLToPath } from "node:url";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import type { SourcePosition, StackTrace } from "@pulumi/pulumi/proto/source_pb";
import { isFormerType } from "./formerTypes";
import { ownFiles } from "./place";
import type { ProviderReference, ResourceOptions } from "./recording";
import type { Value } from "./values";
import { decode } from "./wire";

/** Reads the SDK's requests into the fields of a recording. */

/** Only what is set: an absent option and an empty one are the same to the engine. */
export const present = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "object" && value?.constructor === Object && Object.keys(value).length === 0);

export const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

/** Parses "URN::ID"; URNs contain "::" themselves, so the last one separates the ID. */
export function providerReference(text: string): ProviderReference | undefined {
  if (text === "") {
    return undefined;
  }
  const cut = text.lastIndexOf("::");
  const urn = text.slice(0, cut);
  const id = decode(text.slice(cut + 2));
  return { urn, name: nameOfUrn(urn), ...(typeof id === "string" ? { id } : {}) };
}

const nameOfUrn = (urn: string): string => urn.split("::").slice(3).join("::");

function aliasesOf(request: RegisterResourceRequest): Value[] {
  return (
    request
      .getAliasesList()
      .map((alias) => {
        const spec = alias.getSpec();
        return alias.getAliasCase() === Alias.AliasCase.URN || !spec
          ? { urn: alias.getUrn() }
          : present({
              name: spec.getName(),
              type: spec.getType(),
              stack: spec.getStack(),
              project: spec.getProject(),
              parent: spec.getNoparent() ? "none" : spec.getParenturn(),
            });
      })
      // azure-native adds these aliases, not the program; in a diff they would be noise.
      .filter((alias) => !isFormerType(alias))
      .map((alias) => ("urn" in alias ? alias.urn : alias))
  );
}

function timeoutsOf(request: RegisterResourceRequest) {
  const timeouts = request.getCustomtimeouts();
  return present({
    create: timeouts?.getCreate(),
    update: timeouts?.getUpdate(),
    delete: timeouts?.getDelete(),
    read: timeouts?.getRead(),
  });
}

function hooksOf(request: RegisterResourceRequest) {
  const hooks = request.getHooks();
  return present({
    beforeCreate: hooks?.getBeforeCreateList(),
    afterCreate: hooks?.getAfterCreateList(),
    beforeUpdate: hooks?.getBeforeUpdateList(),
    afterUpdate: hooks?.getAfterUpdateList(),
    beforeDelete: hooks?.getBeforeDeleteList(),
    afterDelete: hooks?.getAfterDeleteList(),
    onError: hooks?.getOnErrorList(),
  });
}

const triggerOf = (request: RegisterResourceRequest): Value | undefined => {
  const trigger = request.getReplacementTrigger();
  return trigger && decode(trigger.toJavaScript());
};

export const optionsOf = (request: RegisterResourceRequest): ResourceOptions =>
  present({
    // After a transform the SDK sends an explicit false where the program said nothing.
    protect: request.getProtect() === true ? true : undefined,
    retainOnDelete: request.getRetainondelete() === true ? true : undefined,
    // Here a false has a meaning: it overrules a provider that has to delete first.
    deleteBeforeReplace: request.getDeletebeforereplacedefined()
      ? request.getDeletebeforereplace()
      : undefined,
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    hideDiffs: request.getHidediffsList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    customTimeouts: timeoutsOf(request),
    aliases: aliasesOf(request),
    deletedWith: request.getDeletedwith(),
    replaceWith: sorted(request.getReplaceWithList()),
    replacementTrigger: triggerOf(request),
    importId: request.getImportid(),
    version: request.getVersion(),
    pluginDownloadURL: request.getPlugindownloadurl(),
    hooks: hooksOf(request),
    packageRef: request.getPackageref(),
  });

export function propertyDependenciesOf(request: RegisterResourceRequest): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  request.getPropertydependenciesMap().forEach((urns, property) => {
    if (urns.getUrnsList().length > 0) {
      found[property] = sorted(urns.getUrnsList());
    }
  });
  return found;
}

export function providersOf(request: RegisterResourceRequest): Record<string, ProviderReference> {
  const found: Record<string, ProviderReference> = {};
  request.getProvidersMap().forEach((text, name) => {
    const reference = providerReference(text);
    if (reference) {
      found[name] = reference;
    }
  });
  return found;
}

interface WithPosition {
  getSourceposition(): SourcePosition | undefined;
  getStacktrace(): StackTrace | undefined;
}

/**
 * Returns a function that finds the innermost line of the program's own files ("components/pool.ts:41") in the stack
 * that the SDK puts into each request; `undefined` if there is none.
 */
export function sourceReader(projectDir: string): (request: WithPosition) => string | undefined {
  const ownFile = ownFiles(projectDir);
  const inside = (position: SourcePosition | undefined): string | undefined => {
    const uri = position?.getUri() ?? "";
    if (!uri.startsWith("file:")) {
      return undefined;
    }
    const file = fileURLToPath(uri);
    // A program in this process was called by the engine, whose own files may belong to the project.
    const path = file.startsWith(__dirname) ? undefined : ownFile(file);
    return path === undefined ? undefined : `${path}:${position?.getLine() ?? 0}`;
  };
  return (request) =>
    [request.getSourceposition(), ...(request.getStacktrace()?.getFramesList() ?? []).map((f) => f.getPc())]
      .map(inside)
      .find((source) => source !== undefined);
}
