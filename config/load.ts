import { adviceFor } from "./advice/choose";
import { valueAt, type Path } from "./advice/steps";
import { isRecord } from "../tools/untyped";
import { type Checked, checkConfig, touches } from "./check";
import { concerns } from "./managementStack";
import { decodeConfig, type RawConfig } from "./parse";
import { isAbout } from "./policy/exceptions";
import { originPath } from "./poolDefaults";
import { credentialProblems } from "./rules/credentials";
import { ConfigError, type Problem, redactSecrets, type Warning } from "../tools/problem";
import { memoize } from "../tools/memoize";
import type { Settings } from "./settings";
import { unusableNames } from "./unusableNames";
import { warningsOf } from "./warnings";

type Config = Readonly<Record<string, unknown>>;

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
function problemsOf(config: Config, checked: Checked): Problem[] {
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

/** To choose the advice for a problem takes a check of the whole config. */
const mostAdvice = 25;

/** A config without what some paths name; items of lists stay, so that the others keep their places. */
function withoutPaths(config: Config, paths: readonly Path[]): Config {
  const copy = structuredClone(config) as Record<PropertyKey, unknown>;
  for (const path of paths) {
    const owner = valueAt(copy, path.slice(0, -1));
    if (isRecord(owner)) {
      Reflect.deleteProperty(owner, path.at(-1) ?? "");
    }
  }
  return copy;
}

/**
 * A config with the first of its problems only, and how many others there are. Advice is chosen for a config in which the other
 * unknown keys are not there.
 */
function firstProblems(
  config: Config,
  checked: Checked,
): [first: readonly [config: Config, checked: Checked], more: number] {
  const { schema, crossField } = checked;
  const unknown = schema.filter(({ fault }) => fault === "unknown");
  const surplus = unknown.slice(mostAdvice);
  const trimmed =
    surplus.length === 0
      ? config
      : withoutPaths(
          config,
          surplus.map(({ at }) => at),
        );
  const now = surplus.length === 0 ? checked : checkConfig(trimmed);
  const wanted = {
    ...now,
    schema: now.schema.slice(0, mostAdvice * 2),
    crossField: now.crossField.slice(0, mostAdvice * 2),
  };
  const shown = wanted.schema.length + wanted.crossField.length;
  return [[trimmed, wanted], Math.max(0, schema.length + crossField.length - shown)];
}

/**
 * The problems of a config in a stack file whose structure is wrong, so that none of its keys has to be.
 * @param raw - top-level keys without the `capz-windows:` prefix
 */
export function problemsBeside(raw: RawConfig): Problem[] {
  const config = decodeConfig(raw);
  const [first] = firstProblems(config, checkConfig(config));
  return problemsOf(...first);
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
    const [first, more] = firstProblems(config, checked);
    throw new ConfigError(source, problemsOf(...first), more);
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
