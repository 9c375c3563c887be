import { stringify } from "yaml";
import { remembered } from "./remembered";

const inOneLine = (value: unknown): string =>
  stringify(value, {
    version: "1.1",
    collectionStyle: "flow",
    flowCollectionPadding: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  }).trimEnd();

/** Rules write the same few texts for every value that they check. */
const textInOneLine = remembered((text: string): string => inOneLine(text));

/**
 * A value as one line of YAML. What YAML 1.1 or 1.2 would read as something else gets quotes, because Pulumi and the
 * plan use different parsers: "1.30", "2022", "0644", "yes".
 */
export function yamlValue(value: unknown): string {
  if (typeof value === "string" && /[\r\n]/.test(value)) {
    return JSON.stringify(value);
  }
  return typeof value === "string" ? textInOneLine(value) : inOneLine(value);
}

/** A key as YAML reads it: with quotes where something in it means something else there. */
export const keyName = (key: string): string => (/^[A-Za-z_][\w.<>/-]*$/.test(key) ? key : yamlValue(key));

/**
 * A line for the stack file, as the `write` of a problem. A note follows as a comment, so that the line can be pasted.
 * Where only the user knows a value, it is described in angle brackets, as `<your gallery>`.
 */
export const writeLine = (key: string, value: unknown, note?: string): string =>
  `${key}: ${yamlValue(value)}${note === undefined ? "" : ` # ${note}`}`;

/** Text that only the user can write: a line with this in place of a value has to be completed. */
export const placeholder = (what: string): string => `<${what}>`;
