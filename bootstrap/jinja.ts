import type { Problem } from "capz-windows-kit/problem";
import type { KubeadmConfigSpec } from "capz-types";
import { present } from "capz-windows-kit/present";

/**
 * Node name, rendered on the machine: its computer name, which cloud-init and cloudbase-init read from Azure. No other
 * template is allowed in the bootstrap data.
 */
export const nodeNameTemplate = '{{ ds.meta_data["local_hostname"] }}';

const openings = /\{\{|\{%|\{#/;

/** The first `{{`, `{%` or `{#` in a text, at which Jinja would start to interpret it. Lines count from 1. */
export function jinjaOpening(text: string): { readonly line: number; readonly opening: string } | undefined {
  if (!openings.test(text)) {
    return undefined;
  }
  for (const [index, line] of text.split("\n").entries()) {
    const opening = openings.exec(line)?.[0];
    if (opening !== undefined) {
      return { line: index + 1, opening };
    }
  }
  return undefined;
}

/** Every string in a value, with its path. */
function* stringsIn(value: unknown, path: string): Generator<readonly [path: string, text: string]> {
  if (typeof value === "string") {
    yield [path, value];
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* stringsIn(item, `${path}[${index}]`);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield* stringsIn(inner, path === "" ? key : `${path}.${key}`);
    }
  }
}

/**
 * One problem for each string of the spec that Jinja would interpret. The bootstrap provider marks the whole document,
 * including file contents, with `## template: jinja` (CAPI v1.14.2 bootstrap/kubeadm/pkg/cloudinit).
 */
export function jinjaProblems(spec: KubeadmConfigSpec): Problem[] {
  return [...stringsIn(spec, "")].flatMap(([path, text]): Problem[] => {
    const found = text === nodeNameTemplate ? undefined : jinjaOpening(text);
    return present(
      found !== undefined && {
        path,
        problem: `${text.includes("\n") ? `line ${found.line}: ` : ""}${found.opening} opens a Jinja template: cloud-init and cloudbase-init render the whole document`,
        allowed: "texts without {{, {% and {#; contents of files with encoding: base64 may have them",
      },
    );
  });
}
