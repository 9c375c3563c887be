import { plan, type PlanOptions, type Recording, type RegisteredResource } from "pulumi-plan-engine";

/** Runs a program in the test's own process, with config values of the namespace `fixture`. */
export function runFixture(
  program: () => unknown,
  mode: "preview" | "update",
  options: Partial<PlanOptions> = {},
): Promise<Recording> {
  return plan({
    ...{ projectDir: __dirname, project: "fixtures", stack: "test", mode, program },
    ...{ config: { "fixture:password": "hunter2-and-more" }, secretKeys: ["fixture:password"] },
    ...options,
  });
}

export function resource({ resources, diagnostics }: Recording, name: string): RegisteredResource {
  const found = resources.find((candidate) => candidate.name === name);
  if (!found) {
    throw new Error(`no resource ${name}; ${JSON.stringify(diagnostics)}`);
  }
  return found;
}

export const errors = ({ diagnostics }: Recording): string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
