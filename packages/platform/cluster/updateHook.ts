/** What a hook that runs before an update gets from Pulumi, as far as refusals need it. */
export interface Update {
  readonly name: string;
  readonly oldInputs?: unknown;
  readonly newInputs?: unknown;
}

/** The report on an object, with a line for each change that is refused. */
export const refusalText = (name: string, refused: readonly string[]): string =>
  `${name} cannot be updated:\n${refused.map((line) => `  ${line}`).join("\n")}`;

/**
 * A Pulumi hook that refuses an update.
 * @param refusedIn - a line for each change that is refused
 */
export const refusing =
  (refusedIn: (before: unknown, after: unknown) => readonly string[]) =>
  ({ name, oldInputs, newInputs }: Update): void => {
    const refused = refusedIn(oldInputs, newInputs);
    if (refused.length > 0) {
      throw new Error(refusalText(name, refused));
    }
  };
