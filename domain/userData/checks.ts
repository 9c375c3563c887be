import { parse } from "yaml";
import { grouped, type Problem } from "../problem";

/**
 * Bytes that user data may have before Azure's base64. Azure takes 65,535; the rest is kept for what is only known on
 * the management cluster, such as certificates and azure.json where the rendered data has placeholders.
 */
export const userDataLimit = 60_000;

/** Size as Azure counts it: bytes of UTF-8, before base64. */
export const userDataBytes = (text: string): number => Buffer.byteLength(text, "utf8");

/** Keys that cloudbase-init 1.1.4 to 1.1.8 processes; it logs every other one as an error and goes on without. */
export const cloudbaseInitKeys: ReadonlySet<string> = new Set([
  "write_files",
  "set_timezone",
  "timezone",
  "set_hostname",
  "hostname",
  "ntp",
  "groups",
  "users",
  "runcmd",
]);

interface CloudConfig {
  readonly write_files?: readonly { readonly path: string; readonly content?: string }[];
  readonly [key: string]: unknown;
}

/** The document as the node reads it; its node name is a text whether jinja has filled it in or not. */
export const parseUserData = (text: string): CloudConfig => parse(text) as CloudConfig;

/** More than Azure takes, with the largest file in it. `path` names the data. */
export function userDataSizeProblems(text: string, path: string): Problem[] {
  const bytes = userDataBytes(text);
  if (bytes <= userDataLimit) {
    return [];
  }
  const files = (parseUserData(text).write_files ?? []).map((file) => ({
    path: file.path,
    bytes: userDataBytes(file.content ?? ""),
  }));
  const largest = files.reduce((a, b) => (b.bytes > a.bytes ? b : a), { path: "", bytes: 0 });
  return [
    {
      path,
      problem: `its user data has ${grouped(bytes)} bytes; the largest file is ${largest.path} with ${grouped(largest.bytes)} bytes`,
      allowed: `up to ${grouped(userDataLimit)} bytes (Azure takes 65,535 before base64, secrets come in later)`,
      write: `less in ${largest.path}, or a command that fetches it`,
    },
  ];
}

/** Keys of the document that cloudbase-init does not know, in the document's order. */
export const keysUnknownToCloudbaseInit = (text: string): string[] =>
  Object.keys(parseUserData(text)).filter((key) => !cloudbaseInitKeys.has(key));

function keyProblems(text: string, path: string): Problem[] {
  const unknown = keysUnknownToCloudbaseInit(text);
  return unknown.length === 0
    ? []
    : [
        {
          path,
          problem: `cloudbase-init ignores ${unknown.join(", ")}`,
          allowed: [...cloudbaseInitKeys].join(", "),
          write: "commands or files that do the same",
        },
      ];
}

/** What a node would not do with its user data; empty when all is well. `path` names the data in the problems. */
export const checkUserData = (text: string, os: "linux" | "windows", path = "user data"): Problem[] => [
  ...userDataSizeProblems(text, path),
  ...(os === "windows" ? keyProblems(text, path) : []),
];
