import { planStack } from "../../plan/cli/planStack";
import { planFiles } from "../../plan/render/render";
import { planOf } from "../support/plans";
import { isThorough } from "capz-windows-test-kit/sample";
import { exampleFile, projectDir } from "../support/stacks";

/** The smallest stack; in CI those with another stack, with a secret, and with every key. */
const compared = isThorough ? (["team-a", "existing", "everything"] as const) : (["dev"] as const);

/** The language host is the reference. It is a process per run, started like `pulumi` does. */
it.each(compared)("a plan of %s by the language host is the same, byte for byte", async (stack) => {
  const reference = await planStack({
    projectDir,
    stack,
    configFile: exampleFile(stack),
    host: "language-host",
  });
  const here = await planOf(stack);
  expect([reference.preview.host, reference.update.host]).toEqual(["language-host", "language-host"]);
  expect([here.preview.host, here.update.host]).toEqual(["in-process", "in-process"]);
  expect([...planFiles(reference)]).toEqual([...planFiles(here)]);
  expect(reference.warnings).toEqual(here.warnings);
});
