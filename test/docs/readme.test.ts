import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compareStack } from "../../plan/cli/compareStacks";
import { formatComparisons } from "../../plan/reports/text";
import { projectConfig } from "../../config/stackFile";
import { updateInline } from "../support/inlinePlans";
import { documentOf } from "../support/planDocuments";
import { projectDir, readExample } from "../support/stacks";

it("the README shows the beginning of a comparison as the program prints it", async () => {
  const [, shown = "", against = ""] =
    /\n\$ npm run plan -- prod --against \w+\n(prod: [^\n]*\ncapz-windows against (.*?); [^]*?)\n```/.exec(
      readFileSync(join(projectDir, "README.md"), "utf8"),
    ) ?? [];
  const config = projectConfig(readExample("prod").config);
  const larger = JSON.stringify(
    JSON.parse(config.windowsPools ?? "") as Record<string, object>,
    (key, value: unknown) =>
      key === "win2025" ? { ...(value as object), vmSize: "Standard_D16s_v5" } : value,
  );
  const [base, head] = [
    await updateInline(config, "prod"),
    await updateInline({ ...config, windowsPools: larger }, "prod"),
  ];
  const comparison = compareStack(
    "prod",
    against,
    { document: documentOf(base) },
    { document: documentOf(head) },
  );
  const text = formatComparisons([{ stack: "prod", comparison, base: base.cluster }], {
    color: false,
    width: 100,
    verbose: false,
  });
  expect(shown).not.toBe("");
  expect(text.slice(0, shown.length)).toBe(shown);
});
