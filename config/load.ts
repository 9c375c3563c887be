import { type Checked, checkConfig, touching } from "./check";
import { concerns } from "./managementStack";
import { decodeConfig, type RawConfig } from "./parse";
import { isAbout } from "./policy/exceptions";
import { originPath } from "./poolDefaults";
import { credentialProblems } from "./rules/credentials";
import { ConfigError, type Problem, redactSecrets, type Warning } from "capz-windows-kit/problem";
import { memoize } from "capz-windows-kit/memoize";
import type { SchemaProblem } from "./schemaProblems";
import type { Settings } from "./settings";
import { pathText, targetsOf } from "./steps";
import { corrected } from "./suggest";
import { unusableNames } from "./unusableNames";
import { warningsOf } from "./warnings";

type Config = Readonly<Record<string, unknown>>;

/** The checked settings of a stack, and the warnings about them. */
export interface Loaded {
  readonly settings: Settings;
  readonly warnings: readonly Warning[];
}

/** A report has no more problems than that. */
const mostProblems = 50;

/** Problems without those of an empty mapping whose keys stand beside it, from where another correction moves them. */
function withoutFilled(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const filled = new Set(
    problems
      .flatMap(({ fix = [] }) => targetsOf(fix))
      .flatMap((target) => target.map((_, length) => pathText(target.slice(0, length)))),
  );
  return problems.filter(({ path, value }) => value !== null || !filled.has(path));
}

/**
 * The problems of a wrong config, and what looks like a credential, of which a right one only warns. A credential in a
 * value that has another problem is left out, and so is what the stack file accepts or has accepted: whether that has ended depends
 * on the day, so findings say it.
 */
function problemsOf(config: Config, { settings, schema, crossField }: Checked): Problem[] {
  const problems = [...withoutFilled(schema), ...crossField];
  const fixed = corrected(
    config,
    schema.map(({ fix }) => fix),
  );
  // What has to be another value anyway.
  const isAsked = touching(schema.filter(({ fix }) => fix === undefined).map(({ path }) => path));
  const refused = new Set(crossField.map(({ path }) => path));
  const isOpen = (path: string): boolean => isAsked(path) || refused.has(path);
  const isWrong = touching(problems.map(({ path }) => path));
  const exceptions = (settings?.policyExceptions ?? []).filter(
    (_, index) => !isWrong(`policyExceptions[${index}]`),
  );
  const credentials = credentialProblems(config, fixed).filter(
    ({ path }) =>
      (settings === undefined || concerns(settings, path)) &&
      !isOpen(path) &&
      !exceptions.some((exception) => isAbout(exception, { id: "plain-credential", path })),
  );
  return [...problems, ...credentials];
}

/**
 * The problems of a config in a stack file whose structure is wrong, so that none of its keys has to be.
 * @param raw - top-level keys without the `capz-windows:` prefix
 */
export function problemsBeside(raw: RawConfig): Problem[] {
  const config = decodeConfig(raw);
  return redactSecrets(problemsOf(config, checkConfig(config)).slice(0, mostProblems), config);
}

/**
 * Checks the config of a stack and fills in the defaults.
 * @param raw - top-level keys without the `capz-windows:` prefix
 * @param source - name of the config in the report, for instance `Pulumi.dev.yaml`
 * @throws ConfigError with all problems of the config
 */
export const loadSettings = memoize((raw: RawConfig, source: string): Loaded => {
  const unusable = unusableNames({ ...raw, ...decodeConfig(raw) }, []);
  if (unusable.length > 0) {
    throw new ConfigError(source, unusable);
  }
  const config = decodeConfig(raw);
  const checked = checkConfig(config);
  const { settings, schema, crossField } = checked;
  if (!settings || schema.length + crossField.length > 0) {
    const problems = problemsOf(config, checked);
    throw new ConfigError(
      source,
      redactSecrets(problems.slice(0, mostProblems), config),
      Math.max(0, problems.length - mostProblems),
    );
  }
  return {
    settings,
    // What several pools have from poolDefaults is said once.
    warnings: warningsOf(settings)
      .filter(({ path }) => concerns(settings, path))
      .map((warning) => ({ ...warning, path: originPath(warning.path, config) }))
      .filter(
        ({ path, message }, index, all) =>
          all.findIndex((other) => other.path === path && other.message === message) === index,
      ),
  };
});
