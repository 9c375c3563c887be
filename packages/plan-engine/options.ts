import { createRequire } from "node:module";
import { join } from "node:path";
import type * as yamlModule from "yaml";
import { projectText } from "./projectText";
import type { Host, Mode } from "./recording";
import type { Simulation } from "./simulation";

/** A resource has been registered. */
export interface ProgressEvent {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Number of resources registered so far, this one included. */
  readonly count: number;
}

/** The program to run, and the project, stack and config with which it runs. */
export interface PlanOptions {
  /** Folder of Pulumi.yaml. */
  readonly projectDir: string;
  readonly stack: string;
  /**
   * Config values by full key ("namespace:key"), or by a key without a namespace for those of the project. What is not a
   * string is passed as JSON, like structured config. The stack file is not read.
   */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Keys of secret values. */
  readonly secretKeys?: readonly string[];
  /** Default: `update`. */
  readonly mode?: Mode;
  /** What the providers answer: the first simulation that has an answer gives it. */
  readonly simulate?: readonly Simulation[];
  /** `name` of Pulumi.yaml. Default: Pulumi.yaml is read, and `main`, `tsconfig` and `nodeArgs` come from it, too. */
  readonly project?: string;
  /** Default: `organization`. */
  readonly organization?: string;
  /** `main` of Pulumi.yaml: a folder or file in the project folder. Default: the entry that package.json names. */
  readonly main?: string;
  /** `runtime.options.tsconfig` of Pulumi.yaml. Default: tsconfig.json. */
  readonly tsconfig?: string;
  /** `runtime.options.nodeargs` of Pulumi.yaml, split. With any of these the program runs in its own process. */
  readonly nodeArgs?: readonly string[];
  /** Added to the environment of the program, which is otherwise nearly empty. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Folders, relative to the project folder, with files of the program that keep no state from one run to the next. In
   * this process these are loaded once, like packages. Default: none, so each run loads the whole program again.
   */
  readonly stateless?: readonly string[];
  readonly onProgress?: (event: ProgressEvent) => void;
  /**
   * Milliseconds after which the program is stopped. Default: two minutes. If a program in this process is then in an
   * endless loop, this process ends with it (SIGKILL, with the reason on standard error).
   */
  readonly timeoutMs?: number;
  /**
   * Default: `in-process`, which is faster. A program that cannot run there (`inProcessObstacle` has the reasons), or fails
   * there before its time limit, runs by the language host instead, and only that run is recorded. In this process a
   * program has the language of the process, so it must not sort or format by it (`localeCompare`, `Intl`). What a program
   * writes past `process.stdout` and `process.stderr`, to the file descriptor itself or by a child process, is recorded by
   * the language host only.
   */
  readonly host?: Host;
  /**
   * The program as a function, for instance of a test that has imported it. It is called in this process. Its files are
   * not loaded again, so their variables keep their values from run to run. The program has ended when its promise is
   * settled. It is not run again by the language host; its errors are in the recording.
   */
  readonly program?: () => unknown;
}

/** Options with everything that a run needs. */
export interface RunOptions extends PlanOptions {
  readonly project: string;
  readonly config: Readonly<Record<string, string>>;
  readonly secretKeys: readonly string[];
  readonly mode: Mode;
  readonly organization: string;
  readonly timeoutMs: number;
}

type FromPulumiYaml = Pick<PlanOptions, "main" | "tsconfig" | "nodeArgs"> & { readonly project: string };

function readPulumiYaml(projectDir: string): FromPulumiYaml {
  // Loaded only here, because a caller that has read Pulumi.yaml does not need it.
  const yaml = createRequire(__filename)("yaml") as typeof yamlModule;
  const { name, main, runtime } = yaml.parse(projectText(join(projectDir, "Pulumi.yaml"))) as {
    readonly name: string;
    readonly main?: string;
    readonly runtime?: string | { readonly options?: { tsconfig?: string; nodeargs?: string } };
  };
  const { tsconfig, nodeargs = "" } = (typeof runtime === "object" ? runtime.options : undefined) ?? {};
  return {
    project: name,
    ...(main === undefined ? {} : { main }),
    ...(tsconfig === undefined ? {} : { tsconfig }),
    nodeArgs: nodeargs.split(/\s+/).filter((word) => word !== ""),
  };
}

/** Fills in the defaults. */
export function complete({ project, config = {}, secretKeys = [], ...options }: PlanOptions): RunOptions {
  const read = project === undefined ? readPulumiYaml(options.projectDir) : { project };
  const fullKey = (key: string): string => (key.includes(":") ? key : `${read.project}:${key}`);
  const values = Object.entries(config).map(([key, value]) => [
    fullKey(key),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return {
    ...{ mode: "update", organization: "organization", timeoutMs: 120_000 },
    ...read,
    ...options,
    config: Object.fromEntries(values) as Record<string, string>,
    secretKeys: secretKeys.map(fullKey),
  };
}
