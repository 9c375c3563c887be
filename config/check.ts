import type { Problem } from "../domain/problem";
import { parseConfig } from "./parse";
import { atOrigin } from "./poolDefaults";
import { accessRules } from "./rules/access";
import { addonRules } from "./rules/addons";
import { bootstrapRules } from "./rules/bootstrap";
import { calicoRules } from "./rules/calico";
import { commandRules } from "./rules/commands";
import { egressRules } from "./rules/egress";
import { flavorRules } from "./rules/flavor";
import { imageRules } from "./rules/images";
import { machineOptionRules } from "./rules/machineOptions";
import { machineRules } from "./rules/machines";
import { managementRules } from "./rules/management";
import { namespaceRules } from "./rules/namespace";
import { networkRules } from "./rules/network";
import { nodeSettingRules } from "./rules/nodeSettings";
import { overrideRules } from "./rules/overrides";
import { poolRules } from "./rules/pools";
import { sampleWorkloadRules } from "./rules/sampleWorkload";
import { versionRules } from "./rules/versions";
import { workloadRules } from "./rules/workloads";
import type { SchemaProblem } from "./advice/proposals";
import type { Settings } from "./settings";
import { settingsOf } from "./settings";

const rules = [
  networkRules,
  versionRules,
  flavorRules,
  imageRules,
  poolRules,
  calicoRules,
  addonRules,
  machineRules,
  managementRules,
  accessRules,
  namespaceRules,
  egressRules,
  bootstrapRules,
  commandRules,
  sampleWorkloadRules,
  overrideRules,
  workloadRules,
  nodeSettingRules,
  machineOptionRules,
];

/** Whether two paths are equal or one is inside the other. */
const touches = (a: string, b: string): boolean =>
  a === b || [".", "["].some((end) => a.startsWith(`${b}${end}`) || b.startsWith(`${a}${end}`));

/** What a config has of problems. */
export interface Checked {
  readonly settings: Settings | undefined;
  readonly schema: readonly SchemaProblem[];
  /** Problems between keys. */
  readonly crossField: readonly Problem[];
  /** Those between keys of which one has a problem of its own, and which may be only a consequence of that. */
  readonly hidden: readonly Problem[];
}

/** Checks decoded values against the schema, and as far as possible against each other. */
export function checkConfig(config: Readonly<Record<string, unknown>>): Checked {
  const { config: parsed, problems } = parseConfig(config);
  const settings = parsed && settingsOf(parsed);
  const invalid = problems.flatMap(({ hides }) => hides ?? []);
  const isHidden = ({ uses = [] }: Problem): boolean =>
    uses.some((path) => invalid.some((other) => touches(path, other)));
  const found = settings
    ? atOrigin(
        rules.flatMap((rule) => rule(settings)),
        config,
      )
    : [];
  return {
    settings,
    schema: problems,
    crossField: found.filter((problem) => !isHidden(problem)),
    hidden: found.filter(isHidden),
  };
}
