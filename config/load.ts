import { adviceFor } from "./advice/choose";
import { checkConfig } from "./check";
import { concerns } from "./managementStack";
import { decodeConfig } from "./parse";
import type { RawConfig } from "./parse";
import { originPath } from "./poolDefaults";
import type { Warning } from "../tools/problem";
import { ConfigError, redactSecrets } from "../tools/problem";
import { memoize } from "../tools/memoize";
import type { Settings } from "./settings";
import { warningsOf } from "./warnings";

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
export const loadSettings = memoize((raw: RawConfig, source: string): Loaded => {
  const config = decodeConfig(raw);
  const checked = checkConfig(config);
  const { settings, schema, crossField } = checked;
  if (!settings || schema.length + crossField.length > 0) {
    throw new ConfigError(source, redactSecrets(adviceFor(config, checked), config));
  }
  return {
    settings,
    // What several pools have from poolDefaults is said once.
    warnings: warningsOf(settings, config)
      .filter(({ path }) => concerns(settings, path))
      .map((warning) => ({ ...warning, path: originPath(warning.path, config) }))
      .filter(
        ({ path, message }, index, all) =>
          all.findIndex((other) => other.path === path && other.message === message) === index,
      ),
  };
});
