import { withoutUndefined } from "capz-windows-kit/without";
import type { Plan } from "./plan";
import { planVersion, type PlanDocument, type PlanResource } from "capz-windows-contract";

/** With fields sorted by name and without undefined ones, so that two plans of one program are the same bytes. */
function sortedFields<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map(sortedFields) as T;
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const fields = Object.entries(withoutUndefined(value)).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([key, inner]) => [key, sortedFields(inner)])) as T;
}

const resourceJson = ({ urn, type, name, parent, custom, provider, inputs, ...more }: PlanResource) => ({
  ...{ urn, type, name, custom, inputs },
  ...withoutUndefined({ parent, provider }),
  options: more.options,
  dependencies: more.dependencies,
});

/**
 * The machine-readable plan: every resource, the user data of the nodes, the config, the outputs and the warnings; secrets are
 * placeholders. `npm run plan -- --against` compares two of them.
 */
export function planJson({
  project,
  stack,
  config,
  resources,
  outputs,
  others,
  state,
  warnings,
  nodes,
}: Plan): PlanDocument {
  const byUrn = [...resources].sort((a, b) => (a.urn < b.urn ? -1 : 1));
  return {
    version: planVersion,
    project,
    stack,
    resources: byUrn.map((resource) => sortedFields(resourceJson(resource))),
    nodes: sortedFields(Object.fromEntries(nodes.map(({ path, text }) => [path, text]))),
    config: sortedFields(config),
    outputs: sortedFields(outputs),
    ...withoutUndefined({ others, state }),
    warnings,
  };
}
