#!/usr/bin/env node
import * as nodeModule from "node:module";
import { join } from "node:path";
import "../../older/import/register";
import "../stack/register";
import type * as accessModule from "capz-windows-doctor/access/cli/main";
import { chooseCommand } from "capz-windows-kit/commandLine/command";
import { answer } from "capz-windows-kit/commandLine/main";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import type * as doctorModule from "capz-windows-doctor/cli/main";
import type * as explainModule from "../explain/cli";
import type * as imagesModule from "../images/cli";
import type * as importModule from "../import/cli";
import type * as initModule from "../init/cli";
import type * as filesModule from "../init/files";
import type * as planModule from "../../plan/cli/main";
import type * as pipelineModule from "../pipeline/cli";
import type * as preflightModule from "../preflight/cli/main";
import type * as probeModule from "capz-windows-probe/cli";
import type * as encryptionModule from "capz-windows-doctor/encryption/cli";
import type * as workloadsModule from "windows-workloads/cli";

/** The command of the installed package. It starts what the npm scripts of a clone start. */

const load = nodeModule.createRequire(__filename);

type Main = (argv: readonly string[]) => void;

/** Each command is loaded when it is asked for. */
const commands: Readonly<Record<string, readonly [text: string, main: () => Main]>> = {
  init: ["write a project into a new folder", () => (load("../init/cli") as typeof initModule).main],
  plan: [
    "plan a stack without a cloud, or compare two plans",
    () => (load("../../plan/cli/main") as typeof planModule).main,
  ],
  explain: [
    "say what a key of the stack file or a component is",
    () => (load("../explain/cli") as typeof explainModule).main,
  ],
  preflight: [
    "ask Azure whether a deployment can work",
    () => (load("../preflight/cli/main") as typeof preflightModule).main,
  ],
  doctor: [
    "say what is wrong with a live cluster, and why",
    () => (load("capz-windows-doctor/cli/main") as typeof doctorModule).main,
  ],
  probe: [
    "measure a cluster that runs, and compare it with the plan",
    () => (load("capz-windows-probe/cli") as typeof probeModule).main,
  ],
  encryption: [
    "say the stage of encryption at rest, and write all Secrets with the present key",
    () => (load("capz-windows-doctor/encryption/cli") as typeof encryptionModule).main,
  ],
  access: [
    "print how to log in to machines, or collect their logs",
    () => (load("capz-windows-doctor/access/cli/main") as typeof accessModule).main,
  ],
  import: [
    "write a stack file from what another tool made",
    () => (load("../import/cli") as typeof importModule).main,
  ],
  workloads: [
    "say on which pools applications run",
    () => (load("windows-workloads/cli") as typeof workloadsModule).main,
  ],
  images: ["list newer node images", () => (load("../images/cli") as typeof imagesModule).main],
  pipeline: [
    "preview, comment and look for drift in a pipeline",
    () => (load("../pipeline/cli") as typeof pipelineModule).main,
  ],
};

const versionOf = (): string => (load("../init/files") as typeof filesModule).packageVersion();

const group = {
  call: "npx capz-windows",
  about: "Kubernetes clusters with Windows nodes on Azure, as a Pulumi program.",
  notes: `npx capz-windows COMMAND --help names the options of a command. In a project that init wrote, each of the others is
an npm script as well: npm run plan -- dev
Where messages name a document such as docs/config.md: it is in node_modules/capz-windows/docs/.

Exit codes: those of the command; 64 if there is no such command.`,
};

function start(name: string, argv: readonly string[]): void {
  // Programs that a plan starts use the same folder.
  process.env.NODE_COMPILE_CACHE ??= join(projectDir, "node_modules/.cache/capz-windows");
  if ("enableCompileCache" in nodeModule) {
    nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  }
  commands[name]?.[1]()(argv);
}

async function main(argv: readonly string[]): Promise<void> {
  const texts = Object.fromEntries(Object.entries(commands).map(([name, [text]]) => [name, text]));
  let chosen: ReturnType<typeof chooseCommand> | undefined;
  const code = await answer({ ...group, options: [] }, argv, [], () => {
    chosen = chooseCommand(group, texts, versionOf, argv);
    return Promise.resolve(0);
  });
  if (chosen === undefined) {
    process.exitCode = code;
  } else {
    start(chosen.name, chosen.argv);
  }
}

void main(process.argv.slice(2));
