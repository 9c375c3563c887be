import type { Host, Mode } from "./recording";
import type { Simulation } from "./simulation/types";

/** A resource has been registered. */
export interface ProgressEvent {
  readonly kind: "resource";
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Number of resources registered so far, this one included. */
  readonly count: number;
}

/** The program to run, and the project, stack and config with which it runs. */
export interface RunOptions {
  /** Folder of Pulumi.yaml. */
  readonly projectDir: string;
  /** `name` of Pulumi.yaml. */
  readonly project: string;
  /** Default: `organization`. */
  readonly organization?: string;
  readonly stack: string;
  /** Config values by full key ("namespace:key"); structured values are JSON text. */
  readonly config: Readonly<Record<string, string>>;
  /** Full keys of secret values. */
  readonly secretKeys: readonly string[];
  readonly mode: Mode;
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
  /** Answers of the simulated clouds, in addition to those of the engine. */
  readonly simulate?: Simulation;
  /**
   * Milliseconds after which the program is stopped. Default: two minutes. If a program in this process is then in an
   * endless loop, this process ends with it (SIGKILL, with the reason on standard error).
   */
  readonly timeoutMs?: number;
  /**
   * Default: `in-process`, which is faster. A program that cannot run there ({@link inProcessObstacle} has the reasons),
   * or fails there before its time limit, runs by the language host instead, and only that run is recorded. In this
   * process a program has the language of the process, so it must not sort or format by it (`localeCompare`, `Intl`). What a
   * program writes past `process.stdout` and `process.stderr`, to the file descriptor itself or by a child process, is
   * recorded by the language host only.
   */
  readonly host?: Host;
  /**
   * The program as a function, for instance of a test that has imported it. It is called in this process. Its files are
   * not loaded again, so their variables keep their values from run to run. The program has ended when its promise is
   * settled. It is not run again by the language host; its errors are in the recording.
   */
  readonly program?: () => unknown;
}

export const defaultTimeoutMs = 120_000;
