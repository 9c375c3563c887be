import { adviceFor } from "./advice/choose";
import { type Checked, checkConfig, touches } from "./check";
import { concerns } from "./managementStack";
import { decodeConfig, type RawConfig } from "./parse";
import { isAbout } from "./policy/exceptions";
import { originPath } from "./poolDefaults";
import { credentialProblems } from "./rules/credentials";
import { ConfigError, type Problem, redactSecrets, type Warning } from "../tools/problem";
import { memoize } from "../tools/memoize";
import type { Settings } from "./settings";
import { warningsOf } from "./warnings";

/** The checked settings of a stack, and the warnings about them. */
export interface Loaded {
  readonly settings: Settings;
  readonly warnings: readonly Warning[];
}

/**
 * The problems of a wrong config, and what looks like a credential, of which a right one only warns. A text that other advice
 * removes is left out, and what the stack file accepts or has accepted: whether that has ended depends on the day, so findings
 * say it.
 */
function problemsOf(config: Readonly<Record<string, unknown>>, checked: Checked): Problem[] {
  const { problems, corrected } = adviceFor(config, checked);
  const { settings } = checked;
  const isRemoved = (path: string): boolean =>
    problems.some((other) => {
      const [, key] = /^remove ([^\s;]+)/.exec(other.write) ?? [];
      return key !== undefined && touches(path, other.path) && `.${path}`.includes(`.${key}`);
    });
  const exceptions = (settings?.policyExceptions ?? []).filter((_, index) =>
    problems.every(({ path }) => !touches(path, `policyExceptions[${index}]`)),
  );
  const credentials = credentialProblems(config, corrected).filter(
    ({ path }) =>
      !isRemoved(path) &&
      (settings === undefined || concerns(settings, path)) &&
      !exceptions.some((exception) => isAbout(exception, { id: "plain-credential", path })),
  );
  return redactSecrets([...problems, ...credentials], config);
}

/**
 * The problems of a config in a stack file whose structure is wrong, so that none of its keys has to be.
 * @param raw - top-level keys without the `capz-windows:` prefix
 */
export function problemsBeside(raw: RawConfig): Problem[] {
  const config = decodeConfig(raw);
  return problemsOf(config, checkConfig(config));
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
    throw new ConfigError(source, problemsOf(config, checked));
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
