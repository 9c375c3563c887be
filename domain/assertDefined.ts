/**
 * A computed value that the cloud always gives. Its types say it may be missing; a default in its place would be
 * wrong silently (an identity without issuer, a rule without address), so its absence is an error.
 */
export function assertDefined<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`missing: ${what}`);
  }
  return value;
}
