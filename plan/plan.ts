import { loadSettings } from "../config/load";
import type { Settings } from "../config/settings";
import { ownConfig, readStackFile } from "../config/stackFile";
import type { Recording } from "./engine/engine";
import { runProgram } from "./engine/engine";
import { openReferences } from "./references";
import type { StackObjects } from "./stackObjects";
import { stackObjects } from "./stackObjects";

export interface PlanOptions {
  readonly projectDir: string;
  readonly stack: string;
  readonly onProgress?: (text: string) => void;
  /** Folder with pinned upstream manifests; without it they appear as URL and sha256. */
  readonly manifestCache?: string | undefined;
}

/** The unmodified program, run as a first preview and as an update. */
export interface Plan {
  readonly stack: string;
  readonly project: string;
  readonly settings: Settings;
  readonly preview: Recording;
  readonly update: Recording;
  readonly objects: StackObjects;
  readonly warnings: readonly string[];
  readonly elapsedMs: number;
}

/** The program failed, or broke a rule that the plan checks. The message is for people. */
export class PlanError extends Error {
  override readonly name = "PlanError";
}

const indent = (text: string): string => text.replace(/^/gm, "  ").trimEnd();

async function runMode(options: Parameters<typeof runProgram>[0], onProgress?: (text: string) => void) {
  const title = options.mode === "preview" ? "first preview" : "update";
  onProgress?.(`${title}: starting the program`);
  const recording = await runProgram({
    ...options,
    onProgress: ({ count }) => onProgress?.(`${title}: ${count} resources`),
  });
  if (recording.exitCode !== 0) {
    const errors = recording.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
    const text = errors.length > 0 ? errors.join("\n") : recording.stderr;
    throw new PlanError(`The program failed in the ${title}:\n${indent(text)}`);
  }
  return recording;
}

/** Resources that only one of the two runs registered: made inside an `apply`, and invisible in a first preview. */
function checkSameResources(preview: Recording, update: Recording): void {
  const [first, second] = [preview, update].map(({ resources }) => new Set(resources.map(({ urn }) => urn)));
  const only = (a = new Set<string>(), b = new Set<string>()) => [...a].filter((urn) => !b.has(urn));
  const different = [...only(first, second), ...only(second, first)];
  if (different.length > 0) {
    throw new PlanError(`These resources are not in both the preview and the update:\n${indent(different.join("\n"))}`);
  }
}

/**
 * Plans one stack of a project folder.
 * @throws ConfigError when the stack file is wrong (before the program is started), PlanError when the program fails
 */
export async function planStack(options: PlanOptions): Promise<Plan> {
  const started = performance.now();
  const file = readStackFile(options.projectDir, options.stack);
  const { settings } = loadSettings(ownConfig(file.project, file.config), file.file);
  const cache = options.manifestCache ?? process.env["CAPZ_WINDOWS_MANIFEST_CACHE"];
  const base = {
    projectDir: options.projectDir,
    project: file.project,
    stack: file.stack,
    config: file.config,
    secretKeys: file.secretKeys,
    ...(file.tsconfig === undefined ? {} : { tsconfig: file.tsconfig }),
    env: {
      CAPZ_WINDOWS_OFFLINE: "1",
      ...(cache === undefined ? {} : { CAPZ_WINDOWS_MANIFEST_CACHE: cache }),
    },
  };
  const preview = await runMode({ ...base, mode: "preview" }, options.onProgress);
  const update = await runMode({ ...base, mode: "update" }, options.onProgress);
  checkSameResources(preview, update);
  const objects = stackObjects(update);
  const open = openReferences(objects);
  if (open.length > 0) {
    throw new PlanError(`These names point at nothing:\n${indent(open.join("\n"))}`);
  }
  const warnings = update.diagnostics
    .filter(({ severity }) => severity === "warning")
    .map(({ message }) => message.trim());
  return {
    stack: file.stack,
    project: file.project,
    settings,
    preview,
    update,
    objects,
    warnings,
    elapsedMs: performance.now() - started,
  };
}
