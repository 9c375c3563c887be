import { leavesOf } from "capz-windows-kit/mergePatch";
import { applySteps, valueAt } from "../../config/steps";
import { compared, fieldCount } from "./capz/compare";
import { sorted } from "./capz/overrides";
import type { ClusterObjects } from "./capz/roles";
import { completed, type Complete } from "./complete";
import type { LeftOut } from "./findings";
import { readSource, type Source, type Text } from "./sources";
import type { Variables } from "./variables";

/** A stack file made from a source, and the differences between them. */
export interface Imported extends Pick<Complete, "config" | "open" | "leftOut"> {
  readonly kind: Source["kind"];
  /**
   * Numbers of fields of the source's objects, only for objects of Cluster API: `all` without those that controllers
   * write, `same` that a plan of the stack has with the same value, and `byControllers`.
   */
  readonly fields?: { readonly all: number; readonly same: number; readonly byControllers: number };
  /** Fields whose override has no effect in the plan, which would be a mistake of this program. */
  readonly unexplained: readonly string[];
}

/** Plans a config and returns the objects; keys without the prefix. */
export type Planner = (config: Complete["config"]) => Promise<ClusterObjects>;

/** A config with merge patches added to the `overrides` of their places. */
const withOverrides = (config: Complete["config"], overrides: ReturnType<typeof sorted>["overrides"]) =>
  applySteps(
    config,
    overrides.map(({ place, kind, patch }) => {
      const set = [...place.split(".").filter((key) => key !== ""), "overrides", kind];
      return { set, value: { ...(valueAt(config, set) as object | undefined), ...patch } };
    }),
  );

/** What a plan of a stack lacks, without variables for which the user is asked. */
const missing = (source: ClusterObjects, made: ClusterObjects, { taken, open }: Complete) =>
  sorted(compared(source, made), taken, new Set(open.flatMap(({ what }) => what.split(", "))));

/** An argument of an override that the rules have refused, in the words of the source: `KubeadmControlPlane PATH[NAME]`. */
function inSource(one: LeftOut): LeftOut {
  const [, pool, kind, path, name] =
    /^(?:controlPlane|(?:linux|windows)Pools\.([\w-]+))\.overrides\.(\w+)\.(.+)\[\d+\]: \{"name":"([^"]*)"/.exec(
      one.from,
    ) ?? [];
  return kind === undefined
    ? one
    : { ...one, from: [kind, pool, `${path}[${name}]`].filter(Boolean).join(" ") };
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
  const draft = source.draft(made);
  const { overrides } = missing(objects, made, first);
  const last = completed({ ...draft, config: withOverrides(draft.config, overrides) });
  const { config, open, taken } = last;
  const whole = await plan(last.trial);
  const lost = missing(objects, whole, last);
  const differences = compared(objects, whole).filter(({ before }) => before !== undefined).length;
  const byControllers = lost.leftOut.filter((one) => one.byController).length;
  const all = fieldCount(objects) - byControllers;
  return {
    ...{ kind, config, open },
    leftOut: [...last.leftOut.map(inSource), ...lost.leftOut],
    unexplained: lost.overrides.flatMap(({ place, kind: patched, patch }) =>
      leavesOf(patch)
        .map(({ path }) => path.join("."))
        .filter((path) => {
          // Of a list, the rules may have taken single elements, with their reason.
          const list = `${place}.overrides.${patched}.${path.replace(/\[[^\]]*\]$/, "")}[`;
          return !taken.some((one) => one.startsWith(list));
        })
        .map((path) => [patched, ...place.split(".").slice(1), path].join(" ")),
    ),
    fields: { all, same: Math.max(0, all + byControllers - differences), byControllers },
  };
}
