/**
 * Merge patches as the components take them. Without patches the arg is left out, so that nothing changes in the state
 * of such a stack.
 */
export const overrideArgs = (overrides: Readonly<Record<string, unknown>>) => {
  const texts = Object.entries(overrides).flatMap(([kind, patch]) =>
    patch === undefined ? [] : [[kind, JSON.stringify(patch)] as const],
  );
  return texts.length === 0 ? {} : { overrides: Object.fromEntries(texts) };
};
