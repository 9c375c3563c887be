/** The command that runs a script of a Windows node. */
export const runScript = (path: string): string =>
  `powershell -NoProfile -ExecutionPolicy Bypass -File ${path}`;
