import { UsageError } from "./arguments";
import { stackReader } from "./stackReader";

/**
 * Fills the reader of stacks in the package of a tool: stack files are read by capz-windows alone.
 * @param instead - what to name on the command line
 */
export function refuseStacks(instead: string): void {
  const refused = (): never => {
    throw new UsageError(`This package reads no stack files: ${instead}.`);
  };
  stackReader.fill(() => ({
    factsOfStack: refused,
    ownOfStack: refused,
    withLines: (_projectDir, error) => error,
  }));
}
