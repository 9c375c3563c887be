import { formatCount, type Problem } from "capz-windows-kit/problem";
import { pathText, type Path } from "./steps";
import type { StackFile } from "./stackFile";

/** Whether a config is small enough for Pulumi to start the program with it. */

/**
 * Bytes of one environment variable on Linux, with its name and the zero byte at its end: MAX_ARG_STRLEN, 32 pages
 * (include/uapi/linux/binfmts.h of Linux 6.12). Pulumi 3.248 puts the whole config into the variable PULUMI_CONFIG
 * (pulumi-language-nodejs, constructConfig; https://github.com/pulumi/pulumi/issues/8680).
 */
const most = 131_072;

/** From here on a config is refused. The size of secrets is only estimated, because a plan does not decrypt them. */
const refusedFrom = 120_000;

/** JSON as Go's encoding/json writes it: these characters as six. */
const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const bytesOf = (value: unknown): number => Buffer.byteLength(goJson(value));

/** A value that can be somewhere else than in the stack file, with its size. */
interface Part {
  readonly path: Path;
  readonly bytes: number;
}

/** The texts of a value, and the objects of each manifest as one. */
function partsOf(value: unknown, path: Path): Part[] {
  const isWhole = path.at(0) === "extraManifests" && path.at(-1) === "objects";
  return !isWhole && typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        partsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : // JSON inside of JSON.
      [{ path, bytes: bytesOf(path.length === 1 ? value : goJson(value)) }];
}

/** A smaller value has no effect worth a change of the stack file. */
const large = 4_000;

function decoded(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** The problem of a config that is too large; none if Pulumi can start the program. */
export function sizeProblems({ project, config, secretBytes }: StackFile): Problem[] {
  const secrets = Object.values(secretBytes).reduce((sum, bytes) => sum + bytes, 0);
  // The language host writes namespace:config:name for each namespace:name.
  const written = Object.fromEntries(
    Object.entries(config).map(([key, text]) => {
      const value = decoded(text);
      return [key.replace(":", ":config:"), typeof value === "string" ? value : goJson(value)];
    }),
  );
  const bytes = bytesOf(written) + secrets;
  if (bytes < refusedFrom) {
    return [];
  }
  const largest = [
    ...Object.entries(config).flatMap(([key, text]) =>
      partsOf(decoded(text), [key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key]),
    ),
    ...Object.entries(secretBytes).map(([key, size]) => ({
      path: [key.slice(key.indexOf(":") + 1)],
      bytes: size,
    })),
  ]
    .sort((a, b) => b.bytes - a.bytes)
    .filter((part, index) => index === 0 || (index < 5 && part.bytes >= large));
  return [
    {
      path: "config",
      problem: `${formatCount(bytes)} bytes: Pulumi passes the config to the program in one environment variable, which may have ${formatCount(most)} bytes on Linux; with more, \`pulumi up\` says "argument list too long" and does not start`,
      allowed: `less than ${formatCount(refusedFrom)} bytes; the largest values are ${largest.map(({ path, bytes: size }) => `${pathText(path)} (${formatCount(size)})`).join(", ")}`,
      write:
        "file: manifests/web.yaml # instead of objects of extraManifests, or contentFrom.secret instead of a content",
    },
  ];
}
