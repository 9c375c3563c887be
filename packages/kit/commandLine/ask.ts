import { createInterface } from "node:readline/promises";

/** One question on the terminal. The end of the input (Ctrl-D) is an empty answer. */
export async function askOnTerminal(question: string): Promise<string> {
  // Without escape sequences, which leave this process as visible text.
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const ended = new Promise<string>((resolve) => {
    terminal.once("close", () => {
      resolve("");
    });
  });
  try {
    return await Promise.race([terminal.question(question), ended]);
  } finally {
    terminal.close();
  }
}
