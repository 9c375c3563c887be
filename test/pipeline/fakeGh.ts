import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { parse } from "yaml";
import { isRecord } from "capz-windows-kit/untyped";
import { workplace } from "../scripts/run";
import { projectDir } from "../support/stacks";

/** Runs the scripts of GitHub's workflows as GitHub does, with a fake of gh that keeps what is asked of it. */

export const folders = [".github/workflows", "examples/pipelines/github"];

/** A fake of https://cli.github.com/manual/gh: answers are a JSON document for each path or subcommand. */
const fakeGh = `
const { appendFileSync, readFileSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const args = process.argv.slice(2);
const after = (name) => args[args.indexOf(name) + 1];
const path = args.find((arg) => arg.startsWith("repos/")) ?? args.slice(0, 2).join(" ");
const answers = JSON.parse(readFileSync("answers.json", "utf8"));
const bodyFile = args.find((arg) => arg.startsWith("body=@"))?.slice(6) ?? (args.includes("--body-file") ? after("--body-file") : "");
const isWrite = bodyFile !== "" || args[1] === "close";
if (isWrite) {
  const body = bodyFile === "" ? "" : readFileSync(bodyFile, "utf8");
  appendFileSync("calls", JSON.stringify({ args: args.filter((arg) => arg !== "--silent"), body }) + "\\n");
}
const answer = answers[path.split("?")[0]];
if (!isWrite && answer === undefined) { console.error("gh: Not Found (HTTP 404)"); process.exit(1); }
if (args.includes("--jq")) {
  const { stdout, status } = spawnSync("jq", ["-r", after("--jq")], { input: JSON.stringify(answer), encoding: "utf8" });
  process.stdout.write(stdout);
  process.exitCode = status;
}
`;

const fakeNpm = `
const { appendFileSync, writeFileSync } = require("node:fs");
const [, , ...words] = process.argv;
const [name, , ...args] = words.filter((word) => word !== "run" && word !== "--silent");
appendFileSync("../asked", [name, ...args].join(" ") + "\\n");
if (name === "plan") writeFileSync(args.at(-1), "what the change does\\n");
if (name === "images" && process.env.NEWER) writeFileSync("Pulumi.prod.yaml", process.env.NEWER);
process.exitCode = Number(process.env[name.toUpperCase() + "_STATUS"] ?? 2);
`;

/** The script of the last step of a workflow. */
export function lastScript(folder: string, name: string): string {
  const { jobs } = parse(readFileSync(join(projectDir, folder, name), "utf8")) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly unknown[] }>>;
  };
  const step = Object.values(jobs).at(-1)?.steps.at(-1);
  return isRecord(step) ? String(step.run) : "";
}

/** A checkout with the fakes. `remove` deletes it. */
export function checkout() {
  const place = workplace();
  place.command("gh", fakeGh);
  place.command("npm", fakeNpm);
  mkdirSync(place.path("checkout/scripts"), { recursive: true });
  for (const name of readdirSync(join(projectDir, "scripts")).filter((file) => file.endsWith(".js"))) {
    symlinkSync(join(projectDir, "scripts", name), place.path(`checkout/scripts/${basename(name)}`));
  }
  const run = (script: string, answers: object, env: Readonly<Record<string, string>> = {}) => {
    place.write("checkout/answers.json", JSON.stringify(answers));
    place.write("checkout/calls", "");
    // As GitHub runs a script without `shell`: https://docs.github.com/actions/reference/workflow-syntax
    const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", script], {
      cwd: place.path("checkout"),
      encoding: "utf8",
      env: {
        ...{ PATH: `${place.path("bin")}${delimiter}${process.env.PATH ?? ""}`, HOME: place.dir },
        ...{ GITHUB_REPOSITORY: "owner/repository", GH_TOKEN: "PLANTED-token", ...env },
      },
    });
    const calls = place.read("checkout/calls").split("\n").filter(Boolean);
    return {
      ...{ status, out: stdout + stderr },
      calls: calls.map((line) => JSON.parse(line) as { args: string[]; body: string }),
    };
  };
  return { ...place, run };
}
