import { hideCredentials } from "./credentials";
import type { Warning } from "./problem";

/**
 * Warnings as plans, logs and reports show them: one text for each message, after the paths of all keys that it is
 * about.
 */

const ofPaths = /^[\w-]+(?:[.[][^\s,:]+)?(?:, [\w-]+(?:[.[][^\s,:]+)?)*$/;

const separator = ": ";

/** In the order in which the messages occur first. */
export function warningTexts(warnings: readonly Warning[]): string[] {
  const messages = new Map<string, string[]>();
  for (const { path: written, message } of warnings) {
    const path = hideCredentials(written);
    const paths = messages.get(message);
    if (paths === undefined) {
      messages.set(message, [path]);
    } else if (!paths.includes(path)) {
      paths.push(path);
    }
  }
  return [...messages].map(([message, paths]) =>
    paths.join() === "" ? message : `${paths.join(", ")}${separator}${message}`,
  );
}

/** The warnings in a text of `warningTexts`. Any other text, such as Pulumi's own, is one warning without a path. */
function warningsIn(text: string): Warning[] {
  const end = text.indexOf(separator);
  const paths = text.slice(0, Math.max(0, end));
  return ofPaths.test(paths)
    ? paths.split(", ").map((path) => ({ path, message: text.slice(end + separator.length) }))
    : [{ path: "", message: text }];
}

/**
 * The warnings that are in one list of texts and not in another. If a pool joins the list of paths, only that pool is
 * new.
 */
export function warningsOnlyIn(texts: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.flatMap(warningsIn).flatMap((warning) => warningTexts([warning])));
  return warningTexts(
    texts.flatMap(warningsIn).filter((warning) => !warningTexts([warning]).some((text) => known.has(text))),
  );
}
