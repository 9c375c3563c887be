import { applySteps, valueAt } from "../config/advice/steps";
import { compared, fieldCount, type Difference } from "./capz/compare";
import { commonEntries } from "./capz/entries";
import { sorted } from "./capz/overrides";
import type { ClusterObjects } from "./capz/roles";
import { completed, type Complete } from "./complete";
import { omitted, type LeftOut } from "./findings";
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
  /** Differences between the source and a plan for which no reason is known. */
  readonly unexplained: readonly Difference[];
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

const unique = (all: readonly LeftOut[]): LeftOut[] => {
  const seen = new Set<string>();
  return all.filter(({ from, why }) => {
    // The reader of bootstrap data and the comparison report the same file by different paths.
    const key = `${from.replace(/ spec\.(template\.spec\.)?files\[/, " files[")}\n${why}`;
    return seen.has(key) ? false : seen.add(key);
  });
};

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
  const { kind, draft, objects } = readSource(texts, variables, cluster);
  const first = completed(draft);
  if (objects === undefined) {
    // A plan proves that the stack file is right, also where there is nothing to compare it with.
    await plan(first.trial);
    return { kind, ...pick(first), unexplained: [] };
  }
  const { overrides } = sorted(compared(objects, await plan(first.trial)), first.taken);
  const second =
    overrides.length === 0 ? first : completed({ ...draft, config: withOverrides(draft.config, overrides) });
  const made = await plan(second.trial);
  const differences = compared(objects, made);
  const common = commonEntries(objects, made);
  const lost = second.leftOut.filter(({ entry }) => entry === undefined || !common.has(entry));
  const { leftOut, unexplained } = sorted(differences, second.taken);
  const byControllers = leftOut.filter(({ byController }) => byController === true).length;
  const all = fieldCount(objects) - byControllers;
  const missed = differences.filter(({ before }) => before !== undefined).length - byControllers;
  return {
    kind,
    ...pick(second),
    leftOut: unique([...lost, ...leftOut]).map((one) => omitted(one, "entry") as unknown as LeftOut),
    fields: { all, same: Math.max(0, all - missed), byControllers },
    unexplained,
  };
}

const pick = ({ config, open, leftOut }: Complete) => ({ config, open, leftOut });
