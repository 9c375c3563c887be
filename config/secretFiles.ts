import { parse } from "yaml";
import { isRecord } from "../domain/untyped";
import { unknownSecret } from "./parse";

/** Contents of secret files by their names; `undefined` while the value is not decrypted, or if it is no such mapping. */
export function secretFilesOf(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined || text === unknownSecret) {
    return undefined;
  }
  try {
    const found: unknown = parse(text);
    return isRecord(found) && Object.values(found).every((value) => typeof value === "string")
      ? (found as Record<string, string>)
      : undefined;
  } catch {
    // The parser's message would show a part of the secret.
    return undefined;
  }
}
