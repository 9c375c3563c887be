import { formatCount, type Problem } from "capz-windows-kit/problem";
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

/** A structured value as the language host passes it on: JSON inside of JSON. */
function rewritten(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? goJson(value) : text;
  } catch {
    return text;
  }
}

/** The problem of a config that is too large; none if Pulumi can start the program. */
export function sizeProblems({ config, secretBytes }: StackFile): Problem[] {
  const secrets = Object.values(secretBytes).reduce((sum, bytes) => sum + bytes, 0);
  // The language host writes namespace:config:name for each namespace:name.
  const written = Object.entries(config).map(([key, text]) => [
    key.replace(":", ":config:"),
    rewritten(text),
  ]);
  const bytes = Buffer.byteLength(goJson(Object.fromEntries(written))) + secrets;
  if (bytes < refusedFrom) {
    return [];
  }
  return [
    {
      path: "config",
      problem: `${formatCount(bytes)} bytes: Pulumi passes the config to the program in one environment variable, which may have ${formatCount(most)} bytes on Linux; with more, \`pulumi up\` says "argument list too long" and does not start`,
      allowed: `less than ${formatCount(refusedFrom)} bytes`,
      write:
        "file: manifests/web.yaml # instead of objects of extraManifests, or contentFrom.secret instead of a content",
    },
  ];
}
