import type { Value, Values } from "./values";
import { fill, reveal, unknown } from "./values";
import { azureId, azureInvokes, azureOutputs, isAzure } from "./simulation/azure";
import { isKubernetes, kubernetesId, kubernetesOutputs, kubernetesRead } from "./simulation/kubernetes";
import { guid } from "./simulation/madeUp";
import { isRandom, randomId, randomOutputs } from "./simulation/random";
import type { Place, Plain, SimulatedResource, Simulation } from "./simulation/types";

export type { Place, Plain, SimulatedResource, Simulation } from "./simulation/types";

/** What a cloud would answer: invented, the same in every run, and recognizable as not real. */

const plain = (values: Values): Plain => reveal(values) as Plain;

/** Tables may hold anything as a key; `in` would find what every object has. */
const lookUp = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  table && Object.hasOwn(table, key) ? table[key] : undefined;

export class SimulatedCloud {
  constructor(private readonly tables: Simulation = {}) {}

  id(inputs: Values, resource: SimulatedResource): string {
    const { type, name, urn } = resource;
    const revealed = plain(inputs);
    const own = this.tables.ids?.(type, name, revealed, resource);
    if (own !== undefined) {
      return own;
    }
    if (isAzure(type)) {
      return azureId(revealed, resource);
    }
    if (isKubernetes(type)) {
      return kubernetesId(revealed, resource);
    }
    // Providers have GUIDs, and of other types nothing is known.
    return isRandom(type) ? randomId(revealed, resource) : guid(urn);
  }

  /** What the program gets back: its inputs, completed by what is computed, which a preview does not know. */
  outputs(inputs: Values, resource: SimulatedResource): Values {
    const computed = this.computed(plain(inputs), resource);
    const shown = (value: Value): Value => (resource.mode === "preview" ? unknown : value);
    return fill(inputs, computed, shown) as Values;
  }

  /** `undefined` when no table knows the function. */
  invoke(token: string, args: Values, place: Place): Values | undefined {
    const answer = lookUp(this.tables.invokes, token) ?? lookUp(azureInvokes, token);
    return answer?.(plain(args), place);
  }

  /** `undefined` when there is no such thing. */
  read(id: string, resource: SimulatedResource): Values | undefined {
    const answer = lookUp(this.tables.reads, resource.type);
    return answer ? answer(id, resource) : kubernetesRead(id, resource);
  }

  private computed(inputs: Plain, resource: SimulatedResource): Values {
    const { type } = resource;
    const own = lookUp(this.tables.outputs, type)?.(inputs, resource) ?? {};
    const known = isAzure(type)
      ? azureOutputs(inputs, resource)
      : isKubernetes(type)
        ? kubernetesOutputs(inputs, resource)
        : isRandom(type)
          ? randomOutputs(inputs, resource)
          : {};
    return fill(own, known, (value) => value) as Values;
  }
}
