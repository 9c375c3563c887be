import { madeBy } from "./made";
import { componentPage, type Sources, typesPage } from "./page";
import { inOrder, inTypeScript, readExamples } from "./program";
import { componentNames, componentSchema } from "./schema";

/** Everything from which the pages are written: takes some seconds. */
export async function pageSources(): Promise<
  Sources & { readonly program: string; readonly outputs: Readonly<Record<string, unknown>> }
> {
  const schema = componentSchema();
  const examples = readExamples();
  const program = inTypeScript(examples, schema, inOrder(examples));
  return { schema, examples, program, ...(await madeBy(program)) };
}

/** All pages: the name of the component, and the content; `types` has the types that they share. */
export const componentPages = (sources: Sources): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(componentNames().map((name) => [name, componentPage(name, sources)])),
  types: typesPage(sources),
});
