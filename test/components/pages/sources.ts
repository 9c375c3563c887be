import { madeBy } from "./made";
import type { ComponentsFile } from "../../../commands/explain/components";
import { componentFacts, type Sources, typeFacts } from "./page";
import { inOrder, inTypeScript, readExamples } from "./program";
import { componentNames, componentSchema } from "./schema";

/** Everything from which schema/components.json is written: takes some seconds. */
export async function pageSources(): Promise<
  Sources & { readonly program: string; readonly outputs: Readonly<Record<string, unknown>> }
> {
  const schema = componentSchema();
  const examples = readExamples();
  const program = inTypeScript(examples, schema, inOrder(examples));
  return { schema, examples, program, ...(await madeBy(program)) };
}

/** The content of schema/components.json. */
export const componentsFile = (sources: Sources): ComponentsFile => ({
  version: 1,
  components: Object.fromEntries(componentNames().map((name) => [name, componentFacts(name, sources)])),
  types: typeFacts(sources),
});
