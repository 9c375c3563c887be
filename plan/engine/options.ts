import type { Host, Mode } from "./recording";
import type { Simulation } from "./simulation/types";

/** Another resource is registered. */
export interface ProgressEvent {
  readonly kind: "resource";
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** How many there are so far. */
  readonly count: number;
}

/** What to run, and as what. */
export interface RunOptions {
  /** Folder of Pulumi.yaml. */
  readonly projectDir: string;
  /** `name` of Pulumi.yaml. */
  readonly project: string;
  /** Default: `organization`. */
  readonly organization?: string;
  readonly stack: string;
  /** Full key ("ns:key") → text, structured values as JSON. */
  readonly config: Readonly<Record<string, string>>;
  /** Full keys of secret values. */
  readonly secretKeys: readonly string[];
  readonly mode: Mode;
  /** `main` of Pulumi.yaml: a folder or file in the project folder. Default: what package.json says. */
  readonly main?: string;
  /** `runtime.options.tsconfig` of Pulumi.yaml. Default: tsconfig.json. */
  readonly tsconfig?: string;
  /** `runtime.options.nodeargs` of Pulumi.yaml, split. With these the program always has a process of its own. */
  readonly nodeArgs?: readonly string[];
  /** Added to the environment of the program, which is otherwise nearly empty. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Folders in the project folder with files of the program that keep nothing from one run to the next. In this process
   * these are loaded once, as packages are. Default: none, so each run loads all of the program again.
   */
  readonly stateless?: readonly string[];
  readonly onProgress?: (event: ProgressEvent) => void;
  /** What the clouds answer beyond what the engine knows itself. */
  readonly simulate?: Simulation;
  /**
   * After this time the program is given up, in milliseconds. Default: two minutes. One in this process that is in an
   * endless loop then takes this process with it (SIGKILL, with the reason on the standard error).
   */
  readonly timeoutMs?: number;
  /**
   * Default: `in-process`. That is a shortcut and never the last word: a program that cannot run there (the reasons are
   * those of {@link inProcessObstacle}), or does not come to a good end there, runs by the language host, and what it
   * does there counts. What a program writes past `process.stdout` and `process.stderr`, to the file descriptor itself
   * or by a child process, is recorded by the language host only.
   */
  readonly host?: Host;
  /**
   * The program itself, where the caller has it, for instance a test that has imported it. It is called in this process,
   * and its files are not loaded again, so what they keep in variables they keep from run to run. It is over when its
   * promise is. There is no second try by the language host; what goes wrong is in the recording.
   */
  readonly program?: () => unknown;
}

export const defaultTimeoutMs = 120_000;
