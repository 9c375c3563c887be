import { leavesOf } from "../../capi/overrides/mergePatch";
import { applySteps, valueAt } from "../../config/steps";
import { compared, fieldCount } from "./capz/compare";
import { sorted } from "./capz/overrides";
import type { ClusterObjects } from "./capz/roles";
import { completed, type Complete } from "./complete";
import type { LeftOut } from "./findings";
import { readSource, type Source, type Text } from "./sources";
import type { Variables } from "./variables";

/** A stack file made from a source, and the differences between them. */
export interface Imported {
  readonly kind: Source["kind"];
  readonly config: Complete["config"];
  readonly open: Complete["open"];
  readonly leftOut: readonly LeftOut[];
  /**
   * Numbers of fields of the source's objects, only for objects of Cluster API: `all` without those that controllers
   * write, `same` that a plan of the stack has with the same value, and `byControllers`.
   */
  readonly fields?: { readonly all: number; readonly same: number; readonly byControllers: number };
  /** Fields whose override has no effect in the plan, which would be a mistake of this program. */
  readonly unexplained: readonly string[];
}

/** Plans a config and returns the objects; keys without the prefix. */
export type Planner = (config: Readonly<Record<string, unknown>>) => Promise<ClusterObjects>;

/** A config with merge patches added to the `overrides` of their places. */
const withOverrides = (
  config: Readonly<Record<string, unknown>>,
  overrides: ReturnType<typeof sorted>["overrides"],
): Readonly<Record<string, unknown>> =>
  applySteps(
    config,
    overrides.map(({ place, kind, patch }) => {
      const at = [...(place === "" ? [] : place.split(".")), "overrides", kind];
      return { set: at, value: { ...(valueAt(config, at) as object | undefined), ...patch } };
    }),
  );

/** Variables without a value for which the user is asked. */
const variablesAsked = ({ open }: Complete): ReadonlySet<string> =>
  new Set(open.flatMap(({ what }) => what.split(", ")));

/** An argument of an override that the rules have refused, in the words of the source: `KubeadmControlPlane PATH[NAME]`. */
function inSource(from: string): string {
  const [, pool, kind, path, name] =
    /^(?:controlPlane|(?:linux|windows)Pools\.([\w-]+))\.overrides\.(\w+)\.(.+)\[\d+\]: \{"name":"([^"]*)"/.exec(
      from,
    ) ?? [];
  return kind === undefined ? from : [kind, pool, `${path}[${name}]`].filter(Boolean).join(" ");
}

/**
 * Makes a stack file from a source. Objects of Cluster API are compared with those of a plan, and fields that the plan
 * lacks become overrides if possible.
 * @param cluster - name of the cluster, for a source that has several
 * @throws SourceError, Refused, VariableError
 */
export async function importSource(
  texts: readonly Text[],
  variables: Variables,
  plan: Planner,
  cluster?: string,
): Promise<Imported> {
  const source = readSource(texts, variables, cluster);
  if (source.kind !== "Cluster API objects") {
    const { trial, config, open, leftOut } = completed(source.draft);
    // A plan proves that the stack file is right, also where there is nothing to compare it with.
    await plan(trial);
    return { kind: source.kind, config, open, leftOut, unexplained: [] };
  }
  const { kind, objects } = source;
  const first = completed(source.draft());
  const made = await plan(first.trial);
  const { overrides } = sorted(compared(objects, made), first.taken, variablesAsked(first));
  const draft = source.draft(made);
  const last = completed({ ...draft, config: withOverrides(draft.config, overrides) });
  const { config, open, trial, taken, leftOut } = last;

  const differences = compared(objects, await plan(trial));
  const lost = sorted(differences, taken, variablesAsked(last));
  const byControllers = lost.leftOut.filter(({ byController }) => byController === true).length;
  const all = fieldCount(objects) - byControllers;
  const missed = differences.filter(({ before }) => before !== undefined).length - byControllers;
  return {
    ...{ kind, config, open },
    leftOut: [...leftOut.map((one) => ({ ...one, from: inSource(one.from) })), ...lost.leftOut],
    unexplained: lost.overrides.flatMap(({ place, kind: patched, patch }) =>
      leavesOf(patch)
        .filter(({ path }) => {
          // Of a list, the rules may have taken single elements, with their reason.
          const list = `${place}.overrides.${patched}.${path.join(".").replace(/\[[^\]]*\]$/, "")}`;
          return !taken.some((one) => one.startsWith(`${list}[`));
        })
        .map(({ path }) => [patched, ...place.split(".").slice(1), path.join(".")].join(" ")),
    ),
    fields: { all, same: Math.max(0, all - missed), byControllers },
  };
}
