import type { PlanDocument, PlanResource } from "../../commands/plan/model/planDocument";
import { parsePlanDocument } from "../../commands/plan/model/planDocument";
import type { Plan } from "../../commands/plan/model/plan";
import { planJson } from "../../commands/plan/model/planJson";

/** The plan document that plan.json of a plan contains. */
export const documentOf = (plan: Plan): PlanDocument =>
  parsePlanDocument(JSON.stringify(planJson(plan)), "plan.json");

/** A resource of a plan document; fields that a test does not name have defaults. */
export function resourceOf(
  type: string,
  name: string,
  inputs: PlanResource["inputs"] = {},
  more: Partial<PlanResource> = {},
): PlanResource {
  return {
    urn: `urn:pulumi:s::p::${type}::${name}`,
    ...{ type, name, inputs, custom: true, options: {}, dependencies: [] },
    ...more,
  };
}

export const planOfResources = (...resources: readonly PlanResource[]): PlanDocument => ({
  version: 2,
  project: "p",
  stack: "s",
  resources,
  nodes: {},
  outputs: {},
  warnings: [],
});

type Plain = Record<string, unknown>;

function set(value: unknown, [step = "", ...rest]: readonly string[], wanted: unknown): unknown {
  const owner = (value ?? {}) as Plain | unknown[];
  const inner = (owner as Plain)[step];
  const changed = rest.length === 0 ? wanted : set(inner, rest, wanted);
  return Array.isArray(owner)
    ? owner.map((item, index) => (index === Number(step) ? changed : item))
    : { ...owner, [step]: changed };
}

/**
 * The plan with one input of one resource set to another value; `undefined` removes it.
 * @throws Error when the plan has no resource with this name
 */
export function withInput(
  document: PlanDocument,
  name: string,
  path: readonly string[],
  value: unknown,
): PlanDocument {
  if (!document.resources.some((resource) => resource.name === name)) {
    throw new Error(`the plan has no resource ${name}`);
  }
  return {
    ...document,
    resources: document.resources.map((resource) =>
      resource.name === name ? { ...resource, inputs: set(resource.inputs, path, value) as Plain } : resource,
    ),
  };
}

export const without = (
  document: PlanDocument,
  isGone: (resource: PlanResource) => boolean,
): PlanDocument => ({
  ...document,
  resources: document.resources.filter((resource) => !isGone(resource)),
});
