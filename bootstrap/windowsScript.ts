import type { BootstrapFile } from "capz-types";
import { scriptContent } from "./files";

/** A script of a Windows node. */
export const scriptFile = (name: string): BootstrapFile => ({
  path: `C:/${name}`,
  permissions: "0744",
  content: scriptContent(name),
});

/** The command that runs a script of a Windows node. */
export const runScript = (path: string): string =>
  `powershell -NoProfile -ExecutionPolicy Bypass -File ${path}`;
