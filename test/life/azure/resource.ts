/** A resource of Azure Resource Manager, as its REST API shows it. */
export interface Resource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly etag?: string;
  readonly location?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly zones?: readonly string[];
  readonly sku?: { readonly name?: string; readonly capacity?: number; readonly tier?: string };
  readonly properties: Properties;
  readonly [field: string]: unknown;
}

export type Properties = Readonly<Record<string, unknown>>;

/** A body that a client sends, in which any part may be missing. */
export type Body = Partial<Resource> & Readonly<Record<string, unknown>>;

/** A change in the simulated cloud, as the timeline shows it. */
export interface AzureEvent {
  readonly verb: "created" | "changed" | "deleted" | "refused";
  readonly resource: Pick<Resource, "id" | "name" | "type">;
  readonly detail?: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error format that all of Resource Manager shares. */
export const failure = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { code, message } },
});

/** Key of an ID. Like in Resource Manager, case does not matter. */
export const keyOf = (id: string): string => id.toLowerCase().replace(/\/+$/, "");

export interface ResourcePath {
  readonly subscription: string;
  /** Resource group. Undefined for a resource of the subscription itself. */
  readonly group?: string;
  /** For example "Microsoft.Compute/virtualMachineScaleSets/virtualMachines". */
  readonly type: string;
  /** Names of the resource's parents and of itself. A collection has one name less than types. */
  readonly names: readonly string[];
  readonly collection: boolean;
}

/**
 * Parses a path. For an extension resource (`…/providers/A/b/c/providers/D/e/f`) the last provider counts.
 * @returns undefined if it is no path of a resource
 */
export function parsePath(path: string): ResourcePath | undefined {
  const match = /^\/subscriptions\/([^/]+)(?:\/resourceGroups\/([^/]+))?(\/.*)?$/i.exec(path);
  if (!match) {
    return undefined;
  }
  const [, subscription = "", group, rest = ""] = match;
  const base = { subscription, ...(group === undefined ? {} : { group }) };
  if (rest === "") {
    return group === undefined
      ? undefined
      : { ...base, type: "Microsoft.Resources/resourceGroups", names: [group], collection: false };
  }
  const provider = rest.split(/\/providers\//i).at(-1) ?? "";
  const [namespace = "", ...steps] = provider.split("/").filter((step) => step !== "");
  const types = steps.filter((_, index) => index % 2 === 0);
  const names = steps.filter((_, index) => index % 2 === 1);
  return types.length === 0
    ? undefined
    : {
        ...base,
        type: [namespace, ...types].join("/"),
        names,
        collection: names.length < types.length,
      };
}
