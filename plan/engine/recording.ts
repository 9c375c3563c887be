import type { Value, Values } from "./values";

/** What a program told its engine. */
export interface Recording {
  readonly mode: Mode;
  readonly resources: readonly RegisteredResource[];
  readonly reads: readonly ReadResource[];
  readonly invokes: readonly Invoke[];
  /** Stack outputs. */
  readonly outputs: Values;
  readonly diagnostics: readonly Diagnostic[];
  /** Of the program's process: 0 when it came to its end without an error. */
  readonly exitCode: number;
  /** What the program wrote by itself. */
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
}

/** A first preview, in which nothing computed is known, or an update, in which the cloud is simulated. */
export type Mode = "preview" | "update";

export interface ProviderReference {
  readonly urn: string;
  readonly id: string;
}

/** Options of a resource; absent where the program said nothing. */
export interface ResourceOptions {
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deleteBeforeReplace?: boolean;
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly additionalSecretOutputs?: readonly string[];
  readonly customTimeouts?: Readonly<Record<string, string>>;
  readonly aliases?: readonly Value[];
  readonly deletedWith?: string;
  readonly importId?: string;
}

export interface RegisteredResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent?: string;
  /** Made by a provider; components are not. */
  readonly custom: boolean;
  /** Missing for components, and unknown in a preview. */
  readonly id?: string;
  readonly inputs: Values;
  readonly outputs: Values;
  /** The explicit provider; without one the engine would take the machine's own credentials. */
  readonly provider?: ProviderReference;
  /** URNs, sorted: explicit ones and those of the inputs. */
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly options: ResourceOptions;
  /** What a component registered at the end of its constructor. */
  registeredOutputs?: Values;
  /** "components/virtualNetwork/virtualNetwork.ts:41", the line of the program that made it. */
  readonly source?: string;
}

export interface ReadResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent?: string;
  /** Unknown in a first preview when it depends on something made. */
  readonly id: Value;
  readonly provider?: ProviderReference;
  readonly dependencies: readonly string[];
}

export interface Invoke {
  readonly token: string;
  readonly args: Values;
  readonly provider?: ProviderReference;
}

export interface Diagnostic {
  readonly severity: "info" | "warning" | "error";
  readonly message: string;
  readonly urn?: string;
}
