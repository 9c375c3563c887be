import { join } from "node:path";
import { clouds } from "../../../plan/simulation";
import { plan } from "pulumi-plan-engine";
import { projectDir } from "../../support/projectDir";
import { inOrder, inTypeScript, readExamples, tokenOf } from "../pages/program";
import { componentSchema } from "../pages/schema";
import { consumer } from "./consumer";

const gone = "urn:pulumi:test::theirs::a:b:Cluster::gone";

/** Components that pass `deletedWith` on only to what lives inside that resource. */
const ownChildren = ["capz-windows:index:ClusterApi"];

/** The examples, each component with the option as the SDK's server of plug-ins hands it on: without the name of the URN. */
function program(): string {
  const examples = Object.entries(readExamples()).map(([name, example]) => [
    name,
    tokenOf(example) === undefined
      ? example
      : { ...example, options: { ...example.options, deletedWith: "${given}" } },
  ]);
  const given = { type: "given", properties: {} };
  const named = { ...Object.fromEntries(examples), given } as ReturnType<typeof readExamples>;
  const names = inOrder(named).filter((name) => name !== "given");
  return `import { DependencyProviderResource } from "@pulumi/pulumi";
const given = { cluster: new DependencyProviderResource("${gone}") };
${inTypeScript(named, componentSchema(), names)}`;
}

it("deletedWith of a program in another language is the whole resource, in every component", async () => {
  const theirs = consumer(program());
  try {
    const { diagnostics, resources } = await plan({
      ...{ projectDir: theirs.dir, project: "theirs", stack: "test", mode: "update" },
      ...{ simulate: clouds, tsconfig: join(projectDir, "tsconfig.pulumi.json") },
    });
    expect(diagnostics).toEqual([]);
    const components = Object.keys(componentSchema().resources).sort();
    const found = resources.filter(({ type }) => components.includes(type));
    expect(found.map(({ type }) => type).sort()).toEqual(components);
    const withOption = found.filter(({ options }) => options.deletedWith === gone).map(({ type }) => type);
    expect(withOption.sort()).toEqual(components.filter((type) => !ownChildren.includes(type)));
    const urns = new Set(resources.map(({ urn }) => urn));
    const others = resources.map(({ options }) => options.deletedWith).filter((urn) => urn !== undefined);
    expect(others.filter((urn) => urn !== gone && !urns.has(urn))).toEqual([]);
  } finally {
    theirs.remove();
  }
});
