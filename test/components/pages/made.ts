import { join } from "node:path";
import { clouds } from "../../../plan/simulation";
import { plan, redact } from "pulumi-plan-engine";
import { projectDir } from "../../support/projectDir";
import { consumer } from "../public/consumer";

/** Resources that a component makes: the type token, and how many. */
export type Made = Readonly<Record<string, number>>;

/** By the type token of a component. */
type OfComponents<T> = Readonly<Record<string, T>>;

/**
 * Plans the examples as a program in another folder.
 * @returns what each component of it makes, and its outputs
 * @throws Error when the program does not run
 */
export async function madeBy(
  program: string,
): Promise<{ readonly made: OfComponents<Made>; readonly outputs: OfComponents<unknown> }> {
  const theirs = consumer(program);
  try {
    const { diagnostics, exitCode, resources } = await plan({
      ...{ projectDir: theirs.dir, project: "theirs", stack: "test", mode: "update" },
      ...{ simulate: clouds, tsconfig: join(projectDir, "tsconfig.pulumi.json") },
    });
    if (exitCode !== 0 || diagnostics.length > 0) {
      throw new Error(`The examples do not run: ${diagnostics.map(({ message }) => message).join("\n")}`);
    }
    const children = (urn: string): string[] =>
      resources
        .filter(({ parent }) => parent === urn)
        .flatMap((child) => [child.type, ...children(child.urn)]);
    const components = resources.filter(({ type }) => type.startsWith("capz-windows:"));
    const count = (types: readonly string[]): Made =>
      types.reduce<Record<string, number>>((all, type) => ({ ...all, [type]: (all[type] ?? 0) + 1 }), {});
    return {
      made: Object.fromEntries(components.map(({ urn, type }) => [type, count(children(urn))])),
      outputs: Object.fromEntries(
        components.map(({ type, registeredOutputs }) => [type, redact(registeredOutputs ?? {})]),
      ),
    };
  } finally {
    theirs.remove();
  }
}
