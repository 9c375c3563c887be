import { parseConfig, typed } from "./parse";
import type { RawConfig } from "./parse";
import type { Problem, Warning } from "../domain/problem";
import { ConfigError, redactSecrets } from "../domain/problem";
import { accessRules } from "./rules/access";
import { bootstrapRules } from "./rules/bootstrap";
import { commandRules } from "./rules/commands";
import { flavorRules } from "./rules/flavor";
import { imageRules } from "./rules/images";
import { managementRules } from "./rules/management";
import { networkRules } from "./rules/network";
import { poolRules } from "./rules/pools";
import { sampleWorkloadRules } from "./rules/sampleWorkload";
import { versionRules } from "./rules/versions";
import type { Settings } from "./settings";
import { settingsOf } from "./settings";
import { warningsOf } from "./warnings";

const rules = [
  networkRules,
  versionRules,
  flavorRules,
  imageRules,
  poolRules,
  managementRules,
  accessRules,
  bootstrapRules,
  commandRules,
  sampleWorkloadRules,
];

/** Whether one path is the other or lies inside it. */
const touches = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);

export interface Loaded {
  readonly settings: Settings;
  readonly warnings: readonly Warning[];
}

/**
 * Checks a stack's config and fills in the defaults. Every problem comes in one report.
 * @param raw - top-level keys without the `capz-windows:` prefix
 * @param source - what the report is about, for instance `Pulumi.dev.yaml`
 * @throws ConfigError
 */
export function loadSettings(raw: RawConfig, source: string): Loaded {
  const { config, problems } = parseConfig(raw);
  const settings = config && settingsOf(config);
  const wrong = problems.map(({ path }) => path);
  const crossField: Problem[] = settings
    ? rules
        .flatMap((rule) => rule(settings))
        // A rule that looked at a value which is wrong itself would only repeat that.
        .filter(({ uses = [] }) => !uses.some((path) => wrong.some((other) => touches(path, other))))
    : [];
  const all = [...problems, ...crossField];
  if (!settings || all.length > 0) {
    throw new ConfigError(source, redactSecrets(all, typed(raw)));
  }
  return { settings, warnings: warningsOf(settings) };
}
