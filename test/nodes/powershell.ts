import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { scriptContent } from "../../bootstrap/files";
import { probeScript } from "capz-windows-probe/objects";

const contentOf = (script: string): string =>
  script.startsWith("probe.") ? probeScript(script) : scriptContent(script);

/** PowerShell 7, which runs the scripts for Windows nodes with fakes of Windows. */
export const pwsh = process.env.CAPZ_WINDOWS_PWSH;

/** A folder with check51.ps1 and windows-powershell-5.1.tsv: what the Windows PowerShell of nodes has. */
export const powershell51 = process.env.CAPZ_WINDOWS_POWERSHELL_51;

/** What a fake does at a call. */
export interface Answer {
  /** What it writes. An object with the key `Call` stands for the call itself, where it is an argument of another. */
  readonly out?: readonly unknown[];
  /** An error that does not end the script, unless it says so. */
  readonly error?: string;
  /** An error that ends the script. */
  readonly throw?: string;
  /** Exit code of a program. */
  readonly code?: number;
  /** Whether the command of PowerShell runs, too. */
  readonly real?: true;
  /** For Compress-Archive: the folder is copied beside the archive, as NAME.unpacked. */
  readonly archive?: true;
}

export interface Scene {
  /** Parameters of the script; texts, as on a command line. Default: none. */
  readonly args?: Readonly<Record<string, string>>;
  /** Variables of the environment besides those of Windows' folders. `C:` stands for the folder of the scene. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files on drive C by their path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Symbolic links on drive C by their path, to files and folders there. */
  readonly links?: Readonly<Record<string, string>>;
  /**
   * The fakes, by command or by a beginning of a call. One answer after another; the last one stays. A path is a program, whose
   * file is made. A command without an answer is told and does nothing.
   */
  readonly answers?: Readonly<Record<string, Answer | readonly Answer[]>>;
  /** Pauses after which the test ends the script. Default: 1000. */
  readonly pauses?: number;
  /** Change of the script's text before it runs. */
  readonly text?: (text: string) => string;
}

export interface Told {
  /** What the script did to Windows, in order. */
  readonly calls: readonly string[];
  /** Its output, as cloudbase-init's log has it. `C:` stands for the folder of the scene. */
  readonly output: readonly string[];
  /** What it wrote to the console itself. */
  readonly console: string;
  readonly code: number;
  /** The text of each file on drive C afterwards. */
  readonly files: Readonly<Record<string, string>>;
}

/** Without profiles of its code .NET needs a third less CPU for runs as short as these. */
export const pwshEnvironment = { ...process.env, DOTNET_TieredPGO: "0", POWERSHELL_TELEMETRY_OPTOUT: "1" };

const here = join(__dirname, "windows");
let process_: ChildProcessWithoutNullStreams | undefined;
let waiting: ((line: string) => void)[] = [];

/** One process for all scenes of a file of tests. */
function shell(): ChildProcessWithoutNullStreams {
  if (process_ !== undefined) {
    return process_;
  }
  const script = join(here, "world.ps1");
  const facts = powershell51 === undefined ? [] : ["-Facts", powershell51];
  const child = spawn(pwsh ?? "pwsh", ["-NoProfile", "-NonInteractive", "-File", script, ...facts], {
    env: pwshEnvironment,
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(line));
  child.once("close", (code) => {
    const failure = JSON.stringify({ failure: `pwsh ended with ${code}: ${errors}` });
    waiting.forEach((each) => {
      each(failure);
    });
    waiting = [];
    process_ = undefined;
  });
  process_ = child;
  return child;
}

afterAll(async () => {
  const child = process_;
  if (child !== undefined) {
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.stdin.end();
    await ended;
  }
});

function asked<Result extends object>(request: object): Promise<Result> {
  const child = shell();
  return new Promise((resolve, reject) => {
    // A script that never ends, and never pauses.
    const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
    waiting.push((line) => {
      clearTimeout(timer);
      const result = JSON.parse(line) as Result | { failure: string };
      if ("failure" in result) {
        reject(new Error(result.failure));
      } else {
        resolve(result);
      }
    });
    child.stdin.write(`${JSON.stringify(request)}\n`);
  });
}

/** The errors of PowerShell's parser in each text. */
export const parserErrors = async (texts: readonly string[]): Promise<string[][]> =>
  (await asked<{ errors: string[][] }>({ texts })).errors;

const filesBelow = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "script.ps1")
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]),
  );

/** Runs a script of bootstrap/scripts/ on a Windows that behaves as the scene says. */
export async function runOnWindows(script: string, scene: Scene = {}): Promise<Told> {
  const root = mkdtempSync(join(tmpdir(), "capz-windows-node-"));
  const programs = Object.keys(scene.answers ?? {}).filter((key) => key.startsWith("C:/"));
  const files = {
    ...Object.fromEntries(programs.map((key) => [key.slice(3).replace(/ .*/, ""), ""])),
    ...scene.files,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  for (const [name, target] of Object.entries(scene.links ?? {})) {
    symlinkSync(join(root, target), join(root, name));
  }
  const env = {
    SystemDrive: "C:",
    ProgramFiles: "C:/Program Files",
    ProgramData: "C:/ProgramData",
    TEMP: "C:/Temp",
    ...scene.env,
  };
  const inRoot = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replaceAll("C:", root)]));
  const text = contentOf(script);
  try {
    const told = await asked<Omit<Told, "files">>({
      root,
      text: scene.text === undefined ? text : scene.text(text),
      args: inRoot(scene.args ?? {}),
      env: inRoot(env),
      answers: scene.answers ?? {},
      pauses: scene.pauses ?? 1000,
    });
    return { ...told, files: filesBelow(root) };
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** A group of tests that need PowerShell. */
export const describeOnWindows: jest.Describe = pwsh === undefined ? describe.skip : describe;

/** A call, or several, so many times. */
export const times = (count: number, ...calls: readonly string[]): string[] =>
  Array.from({ length: count }, () => calls).flat();
