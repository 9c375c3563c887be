import type { ReadResourceRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import type { RunOptions } from "./options";
import { stackType } from "./recording";
import type { Diagnostic, Invoke, ProviderReference, ReadResource, RegisteredResource } from "./recording";
import {
  optionsOf,
  present,
  propertyDependenciesOf,
  providerReference,
  providersOf,
  sorted,
  sourceReader,
} from "./requests";
import { SimulatedCloud, type Plain, type SimulatedResource } from "./simulation";
import type { Values } from "./values";
import { Secret, containsUnknown, isSecret, reveal, unknown } from "./values";
import { decode, decodeStruct } from "./wire";

/** What the program learns about a resource. In a preview, what is missing is unknown to it. */
export interface RegisterAnswer {
  readonly urn: string;
  readonly id: string;
  readonly outputs: Values;
}

/** The engine refuses a request; the reason is in the diagnostics. */
export class Refusal extends Error {}

/** The state of one run: answers the program like an engine with a simulated cloud, and records its requests. */
export class Monitor {
  readonly resources = new Map<string, RegisteredResource>();
  readonly reads = new Map<string, ReadResource>();
  readonly invokes: Invoke[] = [];
  readonly diagnostics: Diagnostic[] = [];
  outputs: Values = {};
  private readonly refusals = new Set<string>();
  /** The program has announced that it will register nothing more. */
  finished = false;
  private readonly cloud: SimulatedCloud;
  private readonly source: ReturnType<typeof sourceReader>;

  constructor(private readonly run: RunOptions) {
    this.cloud = new SimulatedCloud(run.simulate);
    this.source = sourceReader(run.projectDir);
  }

  register(request: RegisterResourceRequest): RegisterAnswer {
    const [type, name, parent] = [request.getType(), request.getName(), request.getParent()];
    const urn = this.urn(type, name, parent);
    const source = this.source(request);
    this.refuseDuplicate(urn, source);
    const inputs = decodeStruct(request.getObject());
    const [custom, remote] = [request.getCustom(), request.getRemote()];
    const provider = providerReference(request.getProvider());
    const options = optionsOf(request);
    const simulated = this.simulated(urn, type, name, provider);
    const id = custom ? (options.importId ?? this.id(inputs, simulated)) : undefined;
    const outputs =
      custom || remote
        ? this.withSecrets(
            this.isUnconfigured(provider) ? {} : this.cloud.outputs(inputs, simulated),
            options.additionalSecretOutputs,
          )
        : {};
    const resource: RegisteredResource = {
      urn,
      type,
      name,
      ...present({ parent, provider, id, source, providers: providersOf(request) }),
      custom,
      ...(remote ? { remote } : {}),
      inputs,
      outputs,
      dependencies: sorted(request.getDependenciesList()),
      propertyDependencies: propertyDependenciesOf(request),
      options,
      order: this.resources.size + 1,
    };
    this.resources.set(urn, resource);
    if (remote) {
      const message = `${type} ${name} is taken apart by its provider: its children are not in this record.`;
      this.diagnostics.push({ severity: "warning", message, urn });
    }
    this.run.onProgress?.({ urn, type, name, count: resource.order });
    return { urn, id: id ?? "", outputs };
  }

  registerOutputs(urn: string, values: Values): void {
    const resource = this.resources.get(urn);
    if (!resource) {
      this.refuse(`Outputs came for ${urn}, which is not registered.`);
    }
    resource.registeredOutputs = values;
    if (resource.type === stackType) {
      this.outputs = values;
    }
  }

  read(request: ReadResourceRequest): RegisterAnswer {
    const [type, name, parent] = [request.getType(), request.getName(), request.getParent()];
    const urn = this.urn(type, name, parent);
    const source = this.source(request);
    this.refuseDuplicate(urn, source);
    const id = decode(request.getId());
    const provider = providerReference(request.getProvider());
    // What is not read yet has no outputs, and so no secret ones: the real engine marks those of an answer only.
    const outputs =
      typeof id === "string" && !this.isUnconfigured(provider)
        ? this.withSecrets(
            this.stateOf(id, this.simulated(urn, type, name, provider)),
            request.getAdditionalsecretoutputsList(),
          )
        : {};
    this.reads.set(urn, {
      urn,
      type,
      name,
      ...present({ parent, provider, source }),
      id,
      inputs: decodeStruct(request.getProperties()),
      outputs,
      dependencies: sorted(request.getDependenciesList()),
    });
    return { urn, id: typeof id === "string" ? id : "", outputs };
  }

  invoke(token: string, args: Values, provider: ProviderReference | undefined): Values {
    if (token === "pulumi:pulumi:getResource") {
      return this.getResource(args);
    }
    this.invokes.push({ token, args, ...present({ provider }) });
    // Like the real engine, it does not call a function with unknown arguments or an unconfigured provider.
    if (containsUnknown(args) || this.isUnconfigured(provider)) {
      return {};
    }
    const { mode, project, stack } = this.run;
    const result = this.cloud.invoke(token, args, {
      mode,
      project,
      stack,
      provider: this.providerInputs(provider),
    });
    return (
      result ??
      this.refuse(
        `The offline engine has no answer for the function ${token}; add one by the option simulate.`,
      )
    );
  }

  /** Adds the reason to the diagnostics. @throws Refusal always */
  refuse(message: string, urn?: string): never {
    this.diagnostics.push({ severity: "error", message, ...present({ urn }) });
    this.refusals.add(message);
    throw new Refusal(message);
  }

  /** A message of the program. */
  log(diagnostic: Diagnostic): void {
    // The SDK logs our own refusal again as an unhandled exception, with a stack of the SDK's functions only.
    const again = [...this.refusals].some(
      (refusal) =>
        diagnostic.message.startsWith("Running program ") && diagnostic.message.includes(`Error: ${refusal}`),
    );
    if (!again) {
      this.diagnostics.push(diagnostic);
    }
  }

  /** URNs from the parent of a resource upwards. */
  ancestors(parent: string): string[] {
    const next = this.resources.get(parent)?.parent;
    return parent === "" ? [] : [parent, ...(next === undefined ? [] : this.ancestors(next))];
  }

  private urn(type: string, name: string, parent: string): string {
    const outer = parent.split("::")[2];
    const chain = outer === undefined || outer === stackType ? type : `${outer}$${type}`;
    return `urn:pulumi:${this.run.stack}::${this.run.project}::${chain}::${name}`;
  }

  private refuseDuplicate(urn: string, source: string | undefined): void {
    const before = this.resources.get(urn) ?? this.reads.get(urn);
    if (before) {
      this.refuse(
        `Duplicate resource URN '${urn}': made at ${before.source ?? "an unknown place"} and again at ` +
          `${source ?? "an unknown place"}. Give one of the two another logical name.`,
        urn,
      );
    }
  }

  private simulated(urn: string, type: string, name: string, provider: ProviderReference | undefined) {
    const { mode, project, stack } = this.run;
    return { mode, project, stack, urn, type, name, provider: this.providerInputs(provider) };
  }

  private providerInputs(provider: ProviderReference | undefined): Plain {
    return reveal(this.resources.get(provider?.urn ?? "")?.inputs ?? {}) as Plain;
  }

  /**
   * Whether settings of the provider are unknown. Such a provider returns nothing in a preview, not even the inputs.
   */
  private isUnconfigured(provider: ProviderReference | undefined): boolean {
    return containsUnknown(this.resources.get(provider?.urn ?? "")?.inputs ?? {});
  }

  private id(inputs: Values, simulated: SimulatedResource): string | undefined {
    return this.run.mode === "update" ? this.cloud.id(inputs, simulated) : undefined;
  }

  /** The state of something that the program created itself, or that the simulated cloud has. */
  private stateOf(id: string, simulated: SimulatedResource): Values {
    const { type } = simulated;
    const own = [...this.resources.values()].find((made) => made.type === type && made.id === id);
    return (
      own?.outputs ??
      this.cloud.read(id, simulated) ??
      this.refuse(`The offline engine knows nothing to read of type ${type} with the id ${id}.`)
    );
  }

  /** The SDK calls this to create a resource object from a reference. */
  private getResource({ urn: wanted }: Values): Values {
    const urn = typeof wanted === "string" ? wanted : "";
    const found = this.resources.get(urn) ?? this.reads.get(urn);
    if (!found) {
      this.refuse(`There is no resource ${urn}.`);
    }
    return { urn: found.urn, id: found.id ?? "", state: found.outputs };
  }

  /**
   * Marks `additionalSecretOutputs`, which the engine does and not the SDK. In a preview they may be unknown secrets.
   */
  private withSecrets(outputs: Values, keys: readonly string[] = []): Values {
    const secret: Record<string, Secret> = {};
    for (const key of keys) {
      const value = outputs[key] ?? (this.run.mode === "preview" ? unknown : undefined);
      if (value !== undefined && !isSecret(value)) {
        secret[key] = new Secret(value);
      }
    }
    return { ...outputs, ...secret };
  }
}
