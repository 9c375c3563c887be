import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { findingsOf, problemFinding } from "../../config/policy/findings";
import { lineOf } from "../../config/policy/lines";
import { loadSettings, type Loaded } from "../../config/load";
import { decodeConfig } from "../../config/parse";
import { projectConfig, readStackFile } from "../../config/stackFile";
import { FileError, mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { policyLimits, readAuditPolicy } from "capz-windows-platform/audit/policyText";
import { largestManifest } from "capz-windows-platform/manifests/userManifests";
import { readObjects } from "capz-windows-platform/manifests/yamlStream";
import type { Finding, FoundInConfig } from "capz-windows-kit/finding";
import { hideCredentials } from "capz-windows-kit/credentials";
import { ConfigError } from "capz-windows-kit/problem";

/** Findings with their places in the repository, as code scanning and annotations need them. */

/** The folder that has `.git`, from which other programs count paths; without one the folder itself. */
function rootOf(dir: string): string {
  for (let at = resolve(dir); ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) {
      return at;
    }
    if (dirname(at) === at) {
      return resolve(dir);
    }
  }
}

/** The text of a stack file; none where there is no such file, or where its size is what is wrong with it. */
function textOf(file: string): string {
  if (!existsSync(file)) {
    return "";
  }
  try {
    return readBoundedText(file, mostBytes.stackFile);
  } catch (error) {
    if (error instanceof FileError) {
      return "";
    }
    throw error;
  }
}

/** A path has the keys of the stack file in it, of which one may be a credential. */
const hiddenPath = <F extends FoundInConfig>(found: F): F => ({
  ...found,
  path: hideCredentials(
    found.path.replace(/(?<=\[)"(?:[^"\\]|\\.)*"(?=\])/g, (key) =>
      JSON.stringify(hideCredentials(JSON.parse(key) as string)),
    ),
  ),
});

/** @param file - relative to the project folder, or absolute */
function located(projectDir: string, file: string, found: readonly FoundInConfig[]): Finding[] {
  const whole = resolve(projectDir, file);
  const text = textOf(whole);
  const path = relative(rootOf(projectDir), whole).split(sep).join("/");
  return found.map((one) => ({ ...hiddenPath(one), file: path, line: lineOf(text, one.path) }));
}

/** The problems of a stack file, or of Pulumi.yaml. */
export const problemsFound = (projectDir: string, { source, problems }: ConfigError): Finding[] =>
  located(projectDir, source, problems.map(problemFinding));

/** A stack with its audit policy, also where that is in a file, of which the program says what is wrong with it. */
function withAuditPolicy(projectDir: string, loaded: Loaded): Loaded {
  const { settings } = loaded;
  const { audit } = settings.controlPlane;
  if (audit?.policyFile === undefined) {
    return loaded;
  }
  const file = join(projectDir, audit.policyFile);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    return loaded;
  }
  const policy = readAuditPolicy(readBoundedText(file, policyLimits.bytes)) as typeof audit.policy;
  const controlPlane = { ...settings.controlPlane, audit: { ...audit, policy } };
  return { ...loaded, settings: { ...settings, controlPlane } };
}

/** The objects of the files in extraManifests; what is no file, too large or no YAML, the plan says. */
const manifestFiles = (projectDir: string, { settings }: Loaded): Record<string, readonly unknown[]> =>
  Object.fromEntries(
    Object.entries(settings.extraManifests).flatMap(([name, { file }]) => {
      const whole = file === undefined ? undefined : join(projectDir, file);
      const stat = whole === undefined ? undefined : statSync(whole, { throwIfNoEntry: false });
      return whole === undefined || stat?.isFile() !== true || stat.size > largestManifest
        ? []
        : [[name, readObjects(readBoundedText(whole, largestManifest)).objects]];
    }),
  );

interface StackFile {
  readonly projectDir: string;
  readonly stack: string;
  readonly configFile: string | undefined;
  /** Such as 2026-11-25. */
  readonly today: string;
}

const keyOf = ({ id, path, message }: FoundInConfig): string => JSON.stringify([id, path, message]);

/**
 * What a reviewer should know of a stack, and did not of a former state of its file; and what is no longer so.
 * @param before - that state: values by key, with their namespaces; secrets are placeholders
 * @returns `undefined` where the former file is not right, so that nothing is known of it
 */
export function changedFindings(
  { projectDir, stack, configFile, today }: StackFile,
  before: Readonly<Record<string, string>>,
): { readonly added: Finding[]; readonly gone: FoundInConfig[] } | undefined {
  try {
    const raw = projectConfig(before);
    const loaded = withAuditPolicy(projectDir, loadSettings(raw, "the base"));
    const former = findingsOf(loaded, decodeConfig(raw), today, {
      files: manifestFiles(projectDir, loaded),
    }).map(hiddenPath);
    const found = stackFindings(projectDir, stack, configFile, today);
    const [known, now] = [former, found].map((all: readonly FoundInConfig[]) => new Set(all.map(keyOf)));
    return {
      added: found.filter((one) => known?.has(keyOf(one)) !== true),
      gone: former.filter((one) => now?.has(keyOf(one)) !== true),
    };
  } catch (error) {
    if (error instanceof ConfigError) {
      return undefined;
    }
    throw error;
  }
}

/**
 * What a reviewer should know of a stack, whether its file is right or wrong.
 * @param today - such as 2026-11-25
 * @param images in the objects of its plan
 */
export function stackFindings(
  projectDir: string,
  stack: string,
  configFile: string | undefined,
  today: string,
  images: readonly string[] = [],
): Finding[] {
  try {
    const { config, file } = readStackFile(projectDir, stack, configFile);
    const raw = projectConfig(config);
    const loaded = withAuditPolicy(projectDir, loadSettings(raw, file));
    return located(
      projectDir,
      file,
      findingsOf(loaded, decodeConfig(raw), today, { images, files: manifestFiles(projectDir, loaded) }),
    );
  } catch (error) {
    if (error instanceof ConfigError) {
      return problemsFound(projectDir, error);
    }
    throw error;
  }
}
