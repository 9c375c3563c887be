import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { chosenStack } from "capz-windows-kit/commandLine/stack";
import { stackOfFile } from "capz-windows-kit/stackNames";
import { said } from "capz-windows-test-kit/said";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

const project = temporaryFolder();

const files = (...names: string[]): void => {
  for (const name of names) {
    writeFileSync(join(project, `Pulumi.${name}.yaml`), "config: {}\n");
  }
};

/** The stack that a command line names, and what is said about it. */
async function chosen(args: readonly string[], stack?: string, configFile?: string) {
  let name = "";
  const { err } = await said(() => {
    name = chosenStack({ stack, configFile }, args, project);
    return Promise.resolve(0);
  });
  return [name, err];
}

const refused = (message: string) => new UsageError(message);

it("is named by the argument, by --stack, or by the file", async () => {
  expect(await chosen(["prod"])).toEqual(["prod", ""]);
  expect(await chosen([], "prod")).toEqual(["prod", ""]);
  expect(await chosen(["prod"], "prod")).toEqual(["prod", ""]);
  expect(await chosen([], undefined, "examples/Pulumi.prod.yaml")).toEqual(["prod", ""]);
  expect(await chosen(["other"], undefined, "examples/Pulumi.prod.yaml")).toEqual(["other", ""]);
});

it("is only its name, and only one", async () => {
  await expect(chosen(["dev"], "prod")).rejects.toEqual(refused("Name one stack, not both dev and prod."));
  await expect(chosen(["Pulumi.dev.yaml"])).rejects.toEqual(
    refused("Pulumi.dev.yaml: write only the name of the stack, dev."),
  );
  await expect(chosen(["examples/Pulumi.dev.yaml"])).rejects.toEqual(
    refused(
      "examples/Pulumi.dev.yaml: write only the name of the stack, dev, or --config-file examples/Pulumi.dev.yaml.",
    ),
  );
  await expect(chosen([], "org/project/dev")).rejects.toEqual(
    refused("org/project/dev: write only the name of the stack, dev."),
  );
  // Its plan would be written into the folder above that of plans.
  const allowed = 'Pulumi takes letters, digits, ".", "-" and "_" only.';
  for (const [name, shown] of [
    ["..", ".."],
    ["", ""],
    ["a\nb", "a⏎b"],
    ["$(id)", "$(id)"],
    ["x".repeat(101), `${"x".repeat(100)} … (1 more characters)`],
  ] as const) {
    await expect(chosen([name])).rejects.toEqual(refused(`"${shown}" is no name of a stack: ${allowed}`));
  }
  await expect(chosen([], undefined, "own.yaml")).rejects.toEqual(
    refused(
      "--config-file own.yaml: name the stack as well, because the file is not called Pulumi.NAME.yaml.",
    ),
  );
});

it("is the only one of the folder, which is then said, and a question where there are several", async () => {
  await expect(chosen([])).rejects.toEqual(refused("Name a stack: the folder has no Pulumi.NAME.yaml."));
  files("dev");
  expect(await chosen([])).toEqual(["dev", "stack dev, the only one of this folder\n"]);
  files("prod");
  await expect(chosen([])).rejects.toEqual(refused("Name a stack: dev, prod."));
  files("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
  await expect(chosen([])).rejects.toEqual(
    refused("Name a stack: a, b, c, d, dev, e, f, g, h, i, and 2 more."),
  );
});

it("a file whose stack would be another folder names none", () => {
  const files = ["Pulumi...yaml", "Pulumi....yaml", "Pulumi....yml", "Pulumi.a..yaml", "Pulumi...b.yaml"];
  expect(files.map(stackOfFile)).toEqual([undefined, undefined, undefined, "a.", "..b"]);
});
