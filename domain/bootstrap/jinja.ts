import { ConfigError } from "../problem";
import type { Problem } from "../problem";
import type { KubeadmConfigSpec } from "../capi/types";

/**
 * Node name, filled in on the machine: its computer name as cloud-init and cloudbase-init read it from Azure. The only
 * template that our bootstrap data may contain.
 */
export const nodeNameTemplate = '{{ ds.meta_data["local_hostname"] }}';

const openings = /\{\{|\{%|\{#/;

/** Where jinja would begin to interpret a text: its first line (from 1) with `{{`, `{%` or `{#`, and which it is. */
export function jinjaOpening(text: string): { readonly line: number; readonly opening: string } | undefined {
  for (const [index, line] of text.split("\n").entries()) {
    const opening = openings.exec(line)?.[0];
    if (opening !== undefined) {
      return { line: index + 1, opening };
    }
  }
  return undefined;
}

/** Every text of the spec, with the place where it stands. */
function* texts(value: unknown, path: string): Generator<readonly [path: string, text: string]> {
  if (typeof value === "string") {
    yield [path, value];
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* texts(item, `${path}[${index}]`);
    }
  } else if (typeof value === "object" && value !== null) {
    const { path: file } = value as { path?: unknown };
    for (const [key, inner] of Object.entries(value)) {
      const place = key === "content" && typeof file === "string" ? `${path} (${file})` : `${path}.${key}`;
      yield* texts(inner, place.replace(/^\./, ""));
    }
  }
}

/** One problem for each text of the spec that jinja would interpret. */
export function jinjaProblems(spec: KubeadmConfigSpec): Problem[] {
  return [...texts(spec, "")].flatMap(([path, text]): Problem[] => {
    const found = text === nodeNameTemplate ? undefined : jinjaOpening(text);
    return found === undefined
      ? []
      : [
          {
            path: `${path}, line ${found.line}`,
            problem: `${found.opening} opens a jinja template: cloud-init and cloudbase-init fill in the whole document`,
            allowed: `file contents, commands and names without {{, {% and {#, or contents in base64`,
            write: `encoding: "base64", and the content in base64`,
          },
        ];
  });
}

/**
 * Refuses a spec with text that jinja would interpret, naming file and line. The bootstrap provider puts the whole
 * document under `## template: jinja` (CAPI v1.13.6 bootstrap/kubeadm/internal/cloudinit), file contents included.
 *
 * @throws ConfigError with one problem for each such text.
 */
export function assertJinjaSafe(spec: KubeadmConfigSpec): void {
  const problems = jinjaProblems(spec);
  if (problems.length > 0) {
    throw new ConfigError("bootstrap data", problems);
  }
}
