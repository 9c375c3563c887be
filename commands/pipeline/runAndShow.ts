import { spawn } from "node:child_process";

/** Runs a program whose output is shown as it comes, and returned. */
export function runAndShow(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ code: number; text: string }> {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  const tee = (from: NodeJS.ReadableStream, to: NodeJS.WritableStream): void => {
    from.setEncoding("utf8");
    from.on("data", (chunk: string) => {
      text += chunk;
      to.write(chunk);
    });
  };
  tee(child.stdout, process.stdout);
  tee(child.stderr, process.stderr);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code: code ?? 1, text });
    });
  });
}
