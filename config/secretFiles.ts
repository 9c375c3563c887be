import { configLimits, yamlValue } from "capz-windows-kit/boundedYaml";
import { isRecord } from "capz-windows-kit/untyped";
import { unknownSecret } from "./parse";

/** Contents of secret files by name; `undefined` while the value is encrypted, or if it is not such a mapping. */
export function secretFilesOf(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined || text === unknownSecret) {
    return undefined;
  }
  try {
    const found: unknown = yamlValue(text, configLimits);
    return isRecord(found) && Object.values(found).every((value) => typeof value === "string")
      ? (found as Record<string, string>)
      : undefined;
  } catch {
    // The parser's message would show a part of the secret.
    return undefined;
  }
}
