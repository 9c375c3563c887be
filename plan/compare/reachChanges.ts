import { joinedPaths, type ReachPath } from "azure-network-paths";
import type { ClusterModel } from "../model/cluster/types";
import type { PathChange } from "./stackDiff";
import { present } from "capz-windows-kit/present";

/** Paths of the network that a change opens or closes, or that it makes depend on others. */

/** Paths with one start and one port each, to pools of both sides; models join those that are alike. */
const singles = (reach: readonly ReachPath[], others: readonly string[]): Map<string, ReachPath> => {
  const common = (to: string): string =>
    to
      .split(", ")
      .filter((name) => !others.includes(name))
      .join(", ");
  return new Map(
    reach
      .filter(({ to }) => common(to) !== "")
      .flatMap((path) =>
        path.from
          .split(", ")
          .flatMap((from) =>
            path.port
              .split(", ")
              .map((port): [string, ReachPath] => [
                JSON.stringify([from, common(path.to), port]),
                { ...path, from, port },
              ]),
          ),
      ),
  );
};

type Side = Pick<ClusterModel, "pools" | "reach">;

/** Others who keep a part of the way; other ranges are not another path. */
const askedOf = (path: ReachPath | undefined): string =>
  (path?.others ?? [])
    .map(({ what }) => what)
    .sort()
    .join();

/** Without the paths from and to pools that only one side has: they come and go with their machines. */
export function reachChanges(base: Side, head: Side): PathChange[] {
  const pools = [base, head].map((side) => side.pools.map(({ name }) => name));
  const others = pools.flat().filter((name) => !pools.every((side) => side.includes(name)));
  const [before, after] = [singles(base.reach, others), singles(head.reach, others)];
  const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap((key): PathChange[] => {
    const [was, is] = [before.get(key), after.get(key)];
    const path = is ?? was;
    return present(
      path !== undefined &&
        (was?.state !== is?.state || askedOf(was) !== askedOf(is)) &&
        !others.includes(path.from) && {
          ...{ from: path.from, to: path.to, port: path.port, by: path.by },
          ...{ before: was?.state ?? "none", after: is?.state ?? "none" },
        },
    );
  });
  return joinedPaths(changes);
}
