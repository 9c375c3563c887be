import type { ReachPath } from "../../../platform/network/reach/paths";
import type { Problem } from "../../../tools/problem";

/**
 * What shuts a path that the cluster needs, or opens one that must be shut; nothing of those about which others decide, or
 * which the stack file leaves open.
 */
export const pathProblems = (paths: readonly ReachPath[]): Problem[] =>
  paths.flatMap(({ from, to, port, wanted, state, by, fix }) =>
    fix === undefined || state === wanted
      ? []
      : [
          {
            ...fix,
            problem:
              state === "shut"
                ? `${from} cannot reach ${to} (${port}): shut by ${by}`
                : `${from} can reach ${to} (${port}): opened by ${by}`,
          },
        ],
  );
