import { formatCount, type Problem } from "capz-windows-kit/problem";
import { readYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { present } from "capz-windows-kit/present";

/**
 * Maximum size of user data in bytes, before base64. Azure allows 65,535; the difference is reserved for values that
 * only the management cluster knows (certificates, azure.json) and for which the rendered data has placeholders.
 */
export const userDataLimit = 60_000;

/** Size of user data in bytes of UTF-8, before base64, as Azure counts it. */
export const userDataBytes = (text: string): number => Buffer.byteLength(text, "utf8");

/** Keys that cloudbase-init 1.1.4 to 1.1.8 processes; it logs an error for any other key and ignores it. */
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

/** The document as the node reads it. It parses before Jinja renders it too, because the node name is quoted. */
const parseUserData = (text: string): CloudConfig => readYamlStream(text).values[0] as CloudConfig;

/** Reports user data that is larger than Azure allows, with its largest file. `path` names the data. */
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
      problem: `the user data has ${formatCount(bytes)} bytes; the largest file is ${largest.path} with ${formatCount(largest.bytes)} bytes`,
      allowed: `up to ${formatCount(userDataLimit)} bytes (Azure allows 65,535 before base64; secrets are added later)`,
      write: `a smaller ${largest.path}, or a command that downloads it`,
    },
  ];
}

/** The keys of the document that cloudbase-init does not support, in document order. */
export const keysUnknownToCloudbaseInit = (text: string): string[] =>
  Object.keys(parseUserData(text)).filter((key) => !cloudbaseInitKeys.has(key));

function keyProblems(text: string, path: string): Problem[] {
  const unknown = keysUnknownToCloudbaseInit(text);
  return present(
    unknown.length !== 0 && {
      path,
      problem: `cloudbase-init ignores ${unknown.join(", ")}`,
      allowed: [...cloudbaseInitKeys].join(", "),
      write: "commands or files with the same effect",
    },
  );
}

/** The parts of user data that Azure would reject or the node would ignore. `path` names the data in the problems. */
export const checkUserData = (text: string, os: "linux" | "windows", path = "user data"): Problem[] => [
  ...userDataSizeProblems(text, path),
  ...(os === "windows" ? keyProblems(text, path) : []),
];
