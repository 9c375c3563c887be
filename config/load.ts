import { decodeConfig, parseConfig } from "./parse";
import type { RawConfig } from "./parse";
import type { Problem, Warning } from "../domain/problem";
import { ConfigError, redactSecrets } from "../domain/problem";
import { remembered } from "../domain/remembered";
import { accessRules } from "./rules/access";
import { bootstrapRules } from "./rules/bootstrap";
import { calicoRules } from "./rules/calico";
import { commandRules } from "./rules/commands";
import { flavorRules } from "./rules/flavor";
import { imageRules } from "./rules/images";
import { machineRules } from "./rules/machines";
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
  calicoRules,
  machineRules,
  managementRules,
  accessRules,
  bootstrapRules,
  commandRules,
  sampleWorkloadRules,
];

/** Whether two paths are equal or one is inside the other. */
const touches = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);

/** The checked settings of a stack, and the warnings about them. */
export interface Loaded {
  readonly settings: Settings;
  readonly warnings: readonly Warning[];
}

/**
 * Checks the config of a stack and fills in the defaults.
 * @param raw - top-level keys without the `capz-windows:` prefix
 * @param source - name of the config in the report, for instance `Pulumi.dev.yaml`
 * @throws ConfigError with all problems of the config
 */
export const loadSettings = remembered((raw: RawConfig, source: string): Loaded => {
  const { config, problems } = parseConfig(raw);
  const settings = config && settingsOf(config);
  const invalid = problems.map(({ path }) => path);
  const crossField: Problem[] = settings
    ? rules
        .flatMap((rule) => rule(settings))
        // A rule that reads an invalid value would only report a consequence of it.
        .filter(({ uses = [] }) => !uses.some((path) => invalid.some((other) => touches(path, other))))
    : [];
  const all = [...problems, ...crossField];
  if (!settings || all.length > 0) {
    throw new ConfigError(source, redactSecrets(all, decodeConfig(raw)));
  }
  return { settings, warnings: warningsOf(settings, decodeConfig(raw)) };
});
