import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** The Python of a virtual environment with readers/requirements.txt and Debian's cloud-init. */
export const python = process.env.CAPZ_WINDOWS_PYTHON;

/** A machine's user data before Jinja, and the computer name that Azure gives it. */
export interface Machine {
  readonly text: string;
  readonly computerName: string;
}

interface Written {
  readonly path: string;
  readonly base64: string;
}

/** What cloudbase-init did with user data. */
export interface WindowsResult {
  /** The document after Jinja. */
  readonly document: string;
  readonly files: readonly Written[];
  /** Scripts for cmd.exe, as they would have been run. */
  readonly batches: readonly string[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** authorized_keys of each user. */
  readonly keys: Readonly<Record<string, string>>;
  /** Keys below the top level that it did not read, such as `write_files[].owner`. */
  readonly ignored: readonly string[];
  /** Its warnings and errors. */
  readonly log: readonly string[];
}

/** What cloud-init did with user data. */
export interface LinuxResult {
  readonly document: string;
  readonly files: readonly (Written & { readonly mode: string })[];
  /** The script made of `runcmd`. */
  readonly script: string;
  /** Its warnings and errors, those of its schema, and those of a shell that reads the script. */
  readonly log: readonly string[];
}

function read(script: string, input: readonly unknown[]): unknown {
  const { status, stdout, stderr } = spawnSync(python ?? "", [join(__dirname, "readers", script)], {
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    timeout: 100_000,
  });
  if (status !== 0) {
    throw new Error(`${script}: ${stderr}`);
  }
  return JSON.parse(stdout);
}

export const cloudbaseInit = (machines: readonly Machine[]) =>
  read("cloudbase_init.py", machines) as { keys: string[]; results: WindowsResult[] };

export const cloudInit = (machines: readonly Machine[]) =>
  (read("cloud_init.py", machines) as { results: LinuxResult[] }).results;

export const decoded = ({ base64 }: Written): string => Buffer.from(base64, "base64").toString("utf8");
