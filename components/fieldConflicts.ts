/**
 * What to do about fields that were changed with another tool, such as `kubectl scale` or `kubectl edit`. The API
 * server then refuses another value from the program (server-side apply, HTTP 409). Undefined for other errors.
 */
export function adviceAfterConflict(error: string, stack: string): string | undefined {
  // 'Apply failed with 1 conflict: conflict with "kubectl" using v1: .spec.replicas', or a list with a line for each field.
  const conflicts = /Apply failed with \d+ conflicts?: ([^]*)/.exec(error)?.[1];
  if (conflicts === undefined) {
    return undefined;
  }
  const unique = (pattern: RegExp): string =>
    [...new Set([...conflicts.matchAll(pattern)].map(([, found = ""]) => found))].join(", ");
  const managers = unique(/with ("[^"]+")(?: with subresource| using|:)/g);
  const fields = unique(/(?:: |- )(\.[^\s,]+)/g);
  return [
    `${managers} has changed ${fields} of this object, and the stack wants another value. If the stack is right, take the field back:`,
    `  PULUMI_K8S_ENABLE_PATCH_FORCE=true npx pulumi up --stack ${stack}`,
    "If the value of now is right, write it into the stack file. If a controller sets it all the time, the stack must leave it out.",
  ].join("\n");
}
