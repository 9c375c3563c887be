import { addons } from "./mutants/addons";
import { machines } from "./mutants/machines";
import { config, management, plan } from "./mutants/management";
import type { Mutant } from "./mutants/mutant";
import { network, workloadCluster } from "./mutants/network";

export const mutants: readonly Mutant[] = [
  ...network,
  ...workloadCluster,
  ...machines,
  ...addons,
  ...management,
  ...config,
  ...plan,
];

/** The text of a file with the mutant applied. */
export const mutated = ({ from, to }: Pick<Mutant, "from" | "to">, text: string): string =>
  text.replace(from, () => to);
