import type { Value, Values } from "./values";

/** Type of the resource that is the root of a stack. */
export const stackType = "pulumi:pulumi:Stack";

/** What a program registered with its engine. */
export interface Recording {
  readonly mode: Mode;
  /** Where the program ran in the end. */
  readonly host: Host;
  /** Why it did not run in this process, where the caller had not asked for the language host. */
  readonly hostReason?: string;
  /** In the order of registration, which may differ from run to run. */
  readonly resources: readonly RegisteredResource[];
  readonly reads: readonly ReadResource[];
  readonly invokes: readonly Invoke[];
  /** Stack outputs. */
  readonly outputs: Values;
  readonly diagnostics: readonly Diagnostic[];
  /** Exit code of the program's process: 0 if it ended without an error. */
  readonly exitCode: number;
  /** What the program wrote by itself, secrets redacted. */
  readonly stdout: string;
  readonly stderr: string;
  readonly elapsedMs: number;
}

/**
 * Where a program runs.
 *
 * - `in-process`: in this process, without gRPC. The SDK is loaded once for all runs; the files of the program are
 *   loaded for each.
 * - `language-host`: in its own process, by the protocol of Pulumi's Node.js language host, as `pulumi` starts it.
 */
export type Host = "in-process" | "language-host";

/** A first preview, in which nothing computed is known, or an update, in which the cloud is simulated. */
export type Mode = "preview" | "update";

export interface ProviderReference {
  readonly urn: string;
  readonly name: string;
  /** Missing while the provider itself is only previewed. */
  readonly id?: string;
}

/** Options of a resource; absent if the program did not set them. */
export interface ResourceOptions {
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deleteBeforeReplace?: boolean;
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly hideDiffs?: readonly string[];
  readonly additionalSecretOutputs?: readonly string[];
  readonly customTimeouts?: Readonly<Record<string, string>>;
  readonly aliases?: readonly Value[];
  readonly deletedWith?: string;
  readonly replaceWith?: readonly string[];
  readonly replacementTrigger?: Value;
  readonly importId?: string;
  /** Version of the provider plug-in; SDKs of providers set their own. */
  readonly version?: string;
  readonly pluginDownloadURL?: string;
  /** Names of hooks by the moment at which they run. They are never run here. */
  readonly hooks?: Readonly<Record<string, readonly string[]>>;
  /** A parameterized package: "name@version". */
  readonly packageRef?: string;
}

export interface RegisteredResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent?: string;
  /** Made by a provider; components are not. */
  readonly custom: boolean;
  /** A component that its provider constructs: its children are not in the recording. */
  readonly remote?: boolean;
  /** Missing for components, and unknown in a preview. */
  readonly id?: string;
  readonly inputs: Values;
  /** What the program got back. In a preview, what is missing here is unknown to it. */
  readonly outputs: Values;
  /** The explicit provider; without one the engine would take the machine's own credentials. */
  readonly provider?: ProviderReference;
  /** Providers that a component hands down, by package. */
  readonly providers?: Readonly<Record<string, ProviderReference>>;
  /** URNs, sorted: explicit ones and those of the inputs. */
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly options: ResourceOptions;
  /** What a component registered at the end of its constructor. The SDK sends `{}` for one that does not. */
  registeredOutputs?: Values;
  /** "components/virtualNetwork/virtualNetwork.ts:41", the line of the program that made it. */
  readonly source?: string;
  /** Its place in the order of registration, from 1. */
  readonly order: number;
}

export interface ReadResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent?: string;
  /** Unknown in a first preview if it depends on a resource that does not exist yet. */
  readonly id: Value;
  /** Properties by which the provider looks it up, in addition to the ID. */
  readonly inputs: Values;
  readonly outputs: Values;
  readonly provider?: ProviderReference;
  readonly dependencies: readonly string[];
  readonly source?: string;
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
