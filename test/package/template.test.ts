import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { projectFiles, templateFiles } from "../../commands/init/files";
import { loadSettings } from "../../config/load";
import { projectConfig } from "../../config/stackFile";
import { projectDir } from "../support/stacks";

/** The template for `pulumi new`: the folder in the repository, and what Pulumi makes of it. */

interface Project {
  readonly name: string;
  readonly description: string;
  readonly template?: {
    readonly description: string;
    readonly config: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
    readonly quickstart: string;
  };
}

const folder = join(projectDir, "template");

/** The folder as it is in the repository. */
const committed = Object.fromEntries(
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
);

it("is what `npm run docs` writes", () => {
  expect(committed).toEqual(templateFiles());
});

const project = parse(committed["Pulumi.yaml"] ?? "") as Project;

/**
 * The files that `pulumi new` makes: CopyTemplateFiles in sdk/go/common/workspace/templates.go, and runNew and HandleConfig in
 * pkg/cmd/pulumi/newcmd/ of Pulumi v3.206.0. Answers are texts that replace whole keys of the stack file.
 */
function pulumiNew(name: string, answers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const about = project.template?.description ?? "";
  const files = Object.fromEntries(
    Object.entries(committed).map(([path, text]) => [
      path,
      text.replaceAll("${PROJECT}", name).replaceAll("${DESCRIPTION}", about),
    ]),
  );
  const stack = parse(files["Pulumi.dev.yaml"] ?? "") as { config: Record<string, unknown> };
  for (const [key, question] of Object.entries(project.template?.config ?? {})) {
    stack.config[key] = answers[key] ?? question.default;
  }
  return {
    ...files,
    "Pulumi.yaml": (files["Pulumi.yaml"] ?? "").replace(/^template:\n(?: .*\n|\n)*/m, ""),
    "Pulumi.dev.yaml": stringify(stack),
  };
}

it("gives the project that `init` writes without answers", () => {
  const { "Pulumi.dev.yaml": stack, ...files } = pulumiNew("my-clusters");
  const { "Pulumi.dev.yaml": ofInit, ...ofInitOthers } = projectFiles("my-clusters", {});
  expect(files).toEqual(ofInitOthers);
  // With all keys, in the same order; Pulumi itself keeps the comments, too.
  expect(stringify(parse(stack ?? ""))).toBe(stringify(parse(ofInit ?? "")));
});

it("asks for texts only, and its answers make a right stack", () => {
  const answers = { "capz-windows:clusterName": "shop", "capz-windows:kubernetesVersion": "v1.34.9" };
  expect(Object.keys(project.template?.config ?? {})).toEqual(Object.keys(answers));
  const text = pulumiNew("my-clusters", answers)["Pulumi.dev.yaml"] ?? "";
  const { config } = parse(text) as { config: Record<string, unknown> };
  const { settings } = loadSettings(
    projectConfig(
      Object.fromEntries(
        Object.entries(config).map(([key, value]) => [
          key,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
      ),
    ),
    "Pulumi.dev.yaml",
  );
  expect(settings.clusterName).toBe("shop");
  expect(settings.kubernetesVersion).toContain("1.34.9");
});

it("says what to do next, with commands that are there", () => {
  const { scripts } = JSON.parse(committed["package.json"] ?? "") as { scripts: Record<string, string> };
  expect(project.template?.quickstart)
    .toBe(`Write your subscription, tenant, region, SSH public key and network into Pulumi.dev.yaml. Then:

   npm start                                # plans the stack dev, without a cloud
   npx capz-windows preflight dev           # asks Azure whether it can work
   npx pulumi up
`);
  expect(scripts).toMatchObject({
    start: "capz-windows plan dev",
    preflight: "capz-windows preflight",
  });
});
