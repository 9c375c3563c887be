import type { PlanDocument, PlanResource } from "capz-windows-contract";
import { parsePlanDocument } from "../../plan/model/planDocument";
import type { Plan } from "../../plan/model/plan";
import { planJson } from "../../plan/model/planJson";

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

/** A change that no stack file can make, because the rules of the config or the program prevent it. */
export type Edit = (document: PlanDocument) => PlanDocument;

/** The document with another text in the ConfigMap of an add-on. */
export function withText(document: PlanDocument, name: string, from: string, to: string): PlanDocument {
  const data = document.resources.find((resource) => resource.name === name)?.inputs.data;
  const [key, text] = Object.entries(data as Record<string, string>)[0]!;
  if (!text.includes(from)) {
    throw new Error(`${name} has no text ${from}`);
  }
  return withInput(document, name, ["data", key], text.replaceAll(from, to));
}

/**
 * The edit that a line of a paragraph describes: `set RESOURCE PATH JSON`, `remove RESOURCE PATH`, `text RESOURCE JSON JSON`,
 * `options RESOURCE JSON`, or `without RESOURCE`, with a `*` at its end for all whose names begin so.
 */
export function editOf(line: string): Edit {
  const [, form = "", name = "", rest = ""] = /^(\w+) (\S+) ?(.*)$/.exec(line) ?? [];
  if (form === "text") {
    const [from, to] = JSON.parse(`[${rest.replace('" "', '", "')}]`) as [string, string];
    return (document) => withText(document, name, from, to);
  }
  if (form === "options") {
    const options = JSON.parse(rest) as object;
    return ({ resources, ...more }) => ({
      ...more,
      resources: resources.map((one) => (one.name === name ? { ...one, options: { ...options } } : one)),
    });
  }
  if (form === "without") {
    const isGone = name.endsWith("*")
      ? (other: string) => other.startsWith(name.slice(0, -1))
      : (other: string) => other === name;
    return (document) => without(document, (resource) => isGone(resource.name));
  }
  const [, path = "", json = ""] = /^(\S+) ?(.*)$/.exec(rest) ?? [];
  const keys = path.split(/(?<!\\)\./).map((key) => key.replaceAll("\\.", "."));
  const value: unknown = form === "set" ? JSON.parse(json) : undefined;
  return (document) => withInput(document, name, keys, value);
}
