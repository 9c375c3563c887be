import { readdirSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { podObject, type PodArgs } from "capz-windows-probe/objects";
import { allRules } from "capz-windows-doctor/rules/allRules";
import { diskObjects } from "../../components/sampleWorkload/manifests";
import { readBundledFile } from "capz-windows-kit/readBundledFile";
import { filesBelow, readText } from "../architecture/sources";
import { blocksOf, documents, spansOf } from "../docs/examples";
import { printed } from "../printed/collect";
import { expanded, filled } from "../printed/shell";
import { allExamples, furtherStacks, planOf } from "../support/plans";
import { projectDir } from "../support/projectDir";

/** Every PowerShell text that the program delivers or prints, with the place that does. */
export interface ScriptText {
  readonly where: string;
  readonly text: string;
}

const notOurs = /^(?:\.|node_modules$|rendered$|reports$)/;

/** The scripts of the project, by their path in it. */
export const scriptsOf = (extension: string): string[] =>
  readdirSync(projectDir)
    .filter((name) => !notOurs.test(name))
    .flatMap(filesBelow)
    .filter((path) => path.endsWith(extension) && !/(?:^|\/)node_modules\//.test(path))
    .sort();

const program = /^(?:.*[\\/])?(?:powershell|pwsh)(?:\.exe)?$/i;

/**
 * What Windows PowerShell runs, of the words behind its name. A file with its arguments is a command, too. Windows puts the
 * folder of a HostProcess container into the command line before PowerShell sees it (hcsshim v0.14.1 jobcontainer.go).
 */
function scriptOf(given: readonly string[]): string {
  const words = given.map((word) => word.replaceAll("$env:CONTAINER_SANDBOX_MOUNT_POINT", "C:/hpc"));
  const at = words.findIndex((word) => /^-(?:c|command|f|file)$/i.test(word));
  if (at >= 0) {
    return `${/^-f/i.test(words[at] ?? "") ? "& " : ""}${words.slice(at + 1).join(" ")}`;
  }
  const isOption = /^-(?:NoProfile|NonInteractive|NoLogo)$/i;
  return words.filter((word) => !isOption.test(word)).join(" ");
}

/** A line of a batch file as powershell.exe gets it: cmd makes one % of two, and quotes surround one word. */
function scriptOfLine(line: string): string | undefined {
  const words = [...line.replaceAll("%%", "%").matchAll(/"((?:[^"\\]|\\.)*)"|\S+/g)];
  const [name, ...rest] = words.map(([word, quoted]) => quoted?.replaceAll('\\"', '"') ?? word);
  if (!program.test(name ?? "")) {
    return undefined;
  }
  const isCommand = rest.some((word) => /^-c(?:ommand)?$/i.test(word));
  // Arguments of a file keep their quotes.
  return scriptOf(isCommand ? rest : words.slice(1).map(([word]) => word));
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** The commands of containers, hooks and probes in an object. */
function commandsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const { command, args } = value as { command?: unknown; args?: unknown };
  const words = [...(isTexts(command) ? command : []), ...(isTexts(args) ? args : [])];
  const inner = Object.values(value).flatMap(commandsIn);
  if (program.test(words[0] ?? "")) {
    return [scriptOf(words.slice(1)), ...inner];
  }
  // The entry point of some images is PowerShell.
  return command === undefined && words[0]?.startsWith("$env:") ? [scriptOf(words), ...inner] : inner;
}

async function inPlans(): Promise<ScriptText[]> {
  const plans = await Promise.all(
    [...allExamples, ...furtherStacks].map(async (stack) => ({ stack, plan: await planOf(stack) })),
  );
  return plans.flatMap(({ stack, plan }) => [
    ...plan.nodes
      .filter(({ os }) => os === "windows")
      .flatMap(({ path, text }) =>
        inUserData(text).map((found) => ({ where: `${stack}, ${path}: ${found.where}`, text: found.text })),
      ),
    ...plan.objects.workload
      .flatMap(({ objects }) => objects)
      .flatMap((object) => {
        const where = `${stack}, ${object.kind} ${object.metadata.name}`;
        const data = (object.data ?? {}) as Record<string, string>;
        const files = Object.entries(data).filter(([name]) => name.endsWith(".ps1"));
        return [
          ...commandsIn(object).map((text) => ({ where, text })),
          ...files.map(([name, text]) => ({ where: `${where}, ${name}`, text })),
        ];
      }),
  ]);
}

/** Of a cloud-config before Jinja: its scripts, and the lines of its batch file. */
function inUserData(text: string): ScriptText[] {
  const [document] = parseAllDocuments(text.replaceAll(/\{\{.*?\}\}/g, "x"), { version: "1.1" });
  const { write_files: files = [], runcmd = [] } = document?.toJS() as {
    write_files?: { path: string; content: string; encoding?: string }[];
    runcmd?: string[];
  };
  return [
    ...files
      .filter(({ path }) => path.endsWith(".ps1"))
      .map(({ path, content, encoding }) => ({
        where: path,
        text: encoding === "base64" ? Buffer.from(content, "base64").toString("utf8") : content,
      })),
    ...runcmd.flatMap((line) => {
      const script = scriptOfLine(line);
      return script === undefined ? [] : [{ where: "runcmd", text: script }];
    }),
  ];
}

const few = { cpu: "100m", memory: "100Mi" };
const inSample = (): ScriptText[] =>
  commandsIn(diskObjects({ windowsServer: "2022", requests: few, limits: few }, { storageClass: "s" })).map(
    (text) => ({
      where: "the sample with a disk",
      text,
    }),
  );

/** The pods of the probe, in a container of its own and on the host. */
const inProbe = (): ScriptText[] =>
  (["pod", "host"] as const).flatMap((place) =>
    commandsIn(
      podObject({
        ...{ name: "probe", place, image: "i", steps: "", deadlineSeconds: 1 },
        node: {
          name: "n",
          os: "windows",
          pool: "win1",
          object: { apiVersion: "v1", kind: "Node", metadata: {} },
        },
      } as unknown as PodArgs),
    ).map((text) => ({ where: `probe, ${place}`, text })),
  );

/** `az vm run-command invoke --scripts`. */
const onNodes = async (): Promise<ScriptText[]> =>
  expanded(await printed()).flatMap(({ where, runs }) =>
    runs
      .filter((words) => words[words.indexOf("--command-id") + 1] === "RunPowerShellScript")
      .map((words) => ({ where, text: words[words.indexOf("--scripts") + 1] ?? "" })),
  );

const verbs =
  "Add|Clear|Compress|Disable|Enable|Expand|Export|ForEach|Format|Get|Import|Install|Invoke|New|Register|Remove|Rename|Repair|Resize|Restart|Select|Set|Start|Stop|Test|Unregister|Update|Write";
const command = new RegExp(String.raw`(?<![\w-])(?:${verbs})-[A-Z][A-Za-z]+`);
/** A comment of a remedy introduces it with a colon, and may go on with what is for Linux. */
const introduced = new RegExp(
  String.raw`(?:^|: |# )((?:${command.source}|curl\.exe ).*?)(?=; Linux:|, sudo |[)] or |[.] [A-Z]|$)`,
);

/** The PowerShell in a remedy or in code of a document. */
export const powershellIn = (text: string): string | undefined => introduced.exec(filled(text))?.[1];

const remedies = (): ScriptText[] =>
  allRules.flatMap(({ id, remedy }) => remedy.map((text) => ({ where: `doctor, ${id}`, text })));

const spans = (): ScriptText[] =>
  documents.flatMap((document) => spansOf(document).map((text) => ({ where: document, text })));

/** Texts that name a command of PowerShell. */
export const mentions = (): ScriptText[] =>
  [...remedies(), ...spans()].filter(
    ({ text }) =>
      (command.test(text) || text.includes("curl.exe ")) &&
      !text.includes("RunPowerShellScript") &&
      text.trim().includes(" "),
  );

const inDocuments = (): ScriptText[] => [
  ...documents.flatMap((document) =>
    ["powershell", "ps1"]
      .flatMap((language) => blocksOf(document, language))
      .map((text) => ({ where: document, text })),
  ),
  ...filesBelow("docs")
    .filter((path) => path.endsWith(".yaml"))
    .flatMap((path) =>
      parseAllDocuments(readText(path)).flatMap((document) =>
        commandsIn(document.toJS()).map((text) => ({ where: path, text })),
      ),
    ),
];

/** Each text once. */
export async function powershellTexts(): Promise<ScriptText[]> {
  const all = [
    ...scriptsOf(".ps1")
      .filter((path) => !path.startsWith("test/"))
      .map((path) => ({ where: path, text: readBundledFile(projectDir, path) })),
    ...(await inPlans()),
    ...inSample(),
    ...inProbe(),
    ...(await onNodes()),
    ...inDocuments(),
    ...mentions().map(({ where, text }) => ({ where, text: powershellIn(text) ?? text })),
  ];
  return [...new Map(all.reverse().map((one) => [one.text, one])).values()];
}
