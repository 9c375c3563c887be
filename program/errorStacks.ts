/**
 * A stack that Node can print. `util.inspect` with colors, by which the Pulumi SDK prints errors, never ends in Node
 * 20.20 and 22.23 for a line with `node_modules/@scope/file`; source maps of the SDK itself make such lines.
 */
export const printableStack = (stack: string): string =>
  stack.replace(/node_modules[/\\](?=@[^/\\\n]+[/\\][^/\\\n]*$)/gm, "");

function makePrintable(error: unknown): void {
  if (error instanceof Error && error.stack !== undefined) {
    error.stack = printableStack(error.stack);
  }
}

/** Lets Pulumi report an error of this program, where it would otherwise hang silently. */
export function reportErrors(): void {
  // A process may run several stacks.
  if (!process.listeners("unhandledRejection").includes(makePrintable)) {
    process.prependListener("unhandledRejection", makePrintable);
    process.prependListener("uncaughtException", makePrintable);
  }
}
