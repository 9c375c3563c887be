/**
 * Returns an output value that Azure or Kubernetes always sets although its type is optional. A default would hide a
 * mistake (an identity without an issuer, a security rule without an address), so a missing value is an error.
 * @param what - the value, as the error message names it
 * @throws Error when the value is undefined
 */
export function assertDefined<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`missing: ${what}`);
  }
  return value;
}
