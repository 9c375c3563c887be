import type { Value, Values } from "./values";
import { fill, reveal, unknown } from "./values";
import { azureId, azureInvokes, azureOutputs, isAzure } from "./simulation/azure";
import { isKubernetes, kubernetesId, kubernetesOutputs, kubernetesRead } from "./simulation/kubernetes";
import { guid } from "./simulation/simulatedValues";
import { isRandom, randomId, randomOutputs } from "./simulation/random";
import type { Place, Plain, SimulatedResource, Simulation } from "./simulation/types";

export type { Place, Plain, SimulatedResource, Simulation } from "./simulation/types";

/** What a cloud would answer: invented, the same in every run, and recognizable as not real. */

const plain = (values: Values): Plain => reveal(values) as Plain;

/** Looks up an own key; `in` would also find what every object inherits, such as `constructor`. */
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
    // Providers have GUIDs; about other types nothing is known.
    return isRandom(type) ? randomId(revealed, resource) : guid(urn);
  }

  /** The outputs that the program gets: its inputs and the computed fields, which are unknown in a preview. */
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

  /** `undefined` when there is no such resource. */
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
