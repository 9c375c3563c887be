import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type {
  Diagnostic,
  Invoke,
  Mode,
  ProviderReference,
  ReadResource,
  RegisteredResource,
  ResourceOptions,
} from "./recording";
import {
  previewOutputs,
  simulatedId,
  simulatedInvoke,
  simulatedOutputs,
  simulatedRead,
  type SimulatedResource,
} from "./simulation";
import type { Value, Values } from "./values";
import { Secret, containsUnknown, decode, decodeAll, encode, merge } from "./values";

const stackType = "pulumi:pulumi:Stack";

export interface Registration {
  readonly urn: string;
  readonly id: string;
  readonly outputs: Values;
}

/** A text such as "urn::id"; URNs have "::" themselves. */
function providerReference(text: string): ProviderReference | undefined {
  const cut = text.lastIndexOf("::");
  return text === "" ? undefined : { urn: text.slice(0, cut), id: text.slice(cut + 2) };
}

/** Only what is set: an absent option and an empty one are the same to the engine. */
const present = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  ) as { [K in keyof T]?: Exclude<T[K], undefined> };

/** An alias whose only point is a type token with an API version. */
const formerType = /"type":"azure-native:[^"]*\/v[0-9]{8}[^"]*"/;

function aliasesOf(request: RegisterResourceRequest): Value[] {
  return (
    request
      .getAliasesList()
      .map((alias): Value => {
        const spec = alias.getSpec();
        return alias.getAliasCase() === Alias.AliasCase.URN || !spec
          ? alias.getUrn()
          : present({
              name: spec.getName(),
              type: spec.getType(),
              stack: spec.getStack(),
              project: spec.getProject(),
              parent: spec.getNoparent() ? "none" : spec.getParenturn(),
            });
      })
      // azure-native adds dozens of former type tokens to each resource: nobody's decision, and noise in a diff.
      .filter((alias) => !formerType.test(JSON.stringify(alias)))
  );
}

function timeoutsOf(request: RegisterResourceRequest): Record<string, string> | undefined {
  const timeouts = request.getCustomtimeouts();
  const found =
    timeouts &&
    present({ create: timeouts.getCreate(), update: timeouts.getUpdate(), delete: timeouts.getDelete() });
  return found && Object.keys(found).length > 0 ? found : undefined;
}

function propertyDependenciesOf(request: RegisterResourceRequest): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  request.getPropertydependenciesMap().forEach((urns, property) => {
    if (urns.getUrnsList().length > 0) {
      found[property] = [...urns.getUrnsList()].sort();
    }
  });
  return found;
}

const optionsOf = (request: RegisterResourceRequest): ResourceOptions =>
  present({
    // The SDK sends an explicit false where the program said nothing.
    protect: request.getProtect() === true ? true : undefined,
    retainOnDelete: request.getRetainondelete() === true ? true : undefined,
    deleteBeforeReplace: request.getDeletebeforereplace() ? true : undefined,
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    customTimeouts: timeoutsOf(request),
    aliases: aliasesOf(request),
    deletedWith: request.getDeletedwith(),
    importId: request.getImportid(),
  });

/** The state of one run: answers the program as an engine with a simulated cloud behind it, and keeps a record. */
export class Monitor {
  readonly resources = new Map<string, RegisteredResource>();
  readonly reads: ReadResource[] = [];
  readonly invokes: Invoke[] = [];
  readonly diagnostics: Diagnostic[] = [];
  outputs: Values = {};

  constructor(
    private readonly run: {
      readonly mode: Mode;
      readonly project: string;
      readonly stack: string;
      readonly projectDir: string;
      readonly onResource?: ((resource: RegisteredResource, count: number) => void) | undefined;
    },
  ) {}

  register(request: RegisterResourceRequest): Registration {
    const type = request.getType();
    const name = request.getName();
    const parent = request.getParent();
    const urn = this.urn(type, name, parent);
    const source = this.source(request);
    const before = this.resources.get(urn);
    if (before) {
      throw new Error(
        `Duplicate resource URN '${urn}': made at ${before.source ?? "?"} and again at ${source ?? "?"}. ` +
          "Give one of the two another logical name.",
      );
    }
    const inputs = decodeAll(request.getObject()?.toJavaScript());
    const custom = request.getCustom();
    const provider = providerReference(request.getProvider());
    const simulated = { urn, type, name, inputs, provider: this.providerInputs(provider) };
    const options = optionsOf(request);
    const id = custom && this.run.mode === "update" ? simulatedId(simulated) : undefined;
    const outputs = custom ? this.outputsOf(simulated, options) : {};
    const resource: RegisteredResource = {
      urn,
      type,
      name,
      ...present({ parent, provider, id, source }),
      custom,
      inputs,
      outputs,
      dependencies: [...new Set(request.getDependenciesList())].sort(),
      propertyDependencies: propertyDependenciesOf(request),
      options,
    };
    this.resources.set(urn, resource);
    this.run.onResource?.(resource, this.resources.size);
    return { urn, id: id ?? "", outputs };
  }

  registerOutputs(urn: string, outputs: Struct | undefined): void {
    const values = decodeAll(outputs?.toJavaScript());
    const resource = this.resources.get(urn);
    if (!resource) {
      throw new Error(`outputs for an unknown resource: ${urn}`);
    }
    resource.registeredOutputs = values;
    if (resource.type === stackType) {
      this.outputs = values;
    }
  }

  read(request: {
    getType(): string;
    getName(): string;
    getParent(): string;
    getId(): string;
    getProvider(): string;
    getDependenciesList(): string[];
  }): Registration {
    const type = request.getType();
    const urn = this.urn(type, request.getName(), request.getParent());
    const id = decode(request.getId());
    const provider = providerReference(request.getProvider());
    this.reads.push({
      urn,
      type,
      name: request.getName(),
      ...present({ parent: request.getParent(), provider }),
      id,
      dependencies: [...new Set(request.getDependenciesList())].sort(),
    });
    if (typeof id !== "string") {
      return { urn, id: "", outputs: {} };
    }
    const outputs = simulatedRead(type, id);
    if (!outputs) {
      throw new Error(`The offline plan knows nothing to read of type ${type} (id ${id})`);
    }
    return { urn, id, outputs };
  }

  invoke(token: string, args: Values, provider: string): Values {
    const reference = providerReference(provider);
    this.invokes.push({ token, args, ...present({ provider: reference }) });
    if (containsUnknown(args)) {
      return {};
    }
    const result = simulatedInvoke(token, args);
    if (!result) {
      throw new Error(`The offline plan knows no answer to the function ${token}`);
    }
    return result;
  }

  private urn(type: string, name: string, parent: string): string {
    const outer = parent.split("::")[2];
    const chain = outer === undefined || outer === stackType ? type : `${outer}$${type}`;
    return `urn:pulumi:${this.run.stack}::${this.run.project}::${chain}::${name}`;
  }

  private providerInputs(provider: ProviderReference | undefined): Values {
    return this.resources.get(provider?.urn ?? "")?.inputs ?? {};
  }

  private outputsOf(simulated: SimulatedResource, options: ResourceOptions): Values {
    const computed = this.run.mode === "update" ? simulatedOutputs(simulated) : previewOutputs(simulated);
    const outputs: Record<string, Value> = { ...merge(simulated.inputs, computed) };
    for (const key of options.additionalSecretOutputs ?? []) {
      const value = outputs[key];
      if (value !== undefined && !(value instanceof Secret)) {
        outputs[key] = new Secret(value);
      }
    }
    return outputs;
  }

  /** The innermost line of the program itself: the SDK puts the whole stack into the request. */
  private source(request: RegisterResourceRequest): string | undefined {
    const frames = request.getStacktrace()?.getFramesList() ?? [];
    const positions = [request.getSourceposition(), ...frames.map((frame) => frame.getPc())];
    for (const position of positions) {
      const uri = position?.getUri() ?? "";
      const path = uri.startsWith("file:") ? fileURLToPath(uri) : uri;
      const inside = relative(this.run.projectDir, path);
      if (path !== "" && !inside.startsWith("..") && !inside.includes("node_modules")) {
        return `${inside}:${position?.getLine() ?? 0}`;
      }
    }
    return undefined;
  }
}

/** Of a first preview nothing computed is known; the SDK takes absent fields as unknown then. */
export const toStruct = (values: Values): Struct =>
  Struct.fromJavaScript(encode(values) as Parameters<typeof Struct.fromJavaScript>[0]);
