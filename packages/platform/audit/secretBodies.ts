import { list, strings } from "capz-windows-kit/untyped";
import { namesResource } from "./unlogged";

/** Whether a rule with resources names Secrets among them. */
const coversSecrets = (rule: Readonly<Record<string, unknown>>): boolean =>
  list(rule.resources).length === 0
    ? strings(rule.nonResourceURLs).length === 0
    : list(rule.resources).some(
        ({ group, resources }) => (group ?? "") === "" && namesResource(resources, "secrets"),
      );

const conditions = ["users", "userGroups", "verbs", "namespaces"];

/** Whether it decides about every request for a Secret, so that later rules do not. */
const decides = (rule: Readonly<Record<string, unknown>>): boolean =>
  conditions.every((key) => list(rule[key]).length === 0) &&
  (rule.resources === undefined ||
    list(rule.resources).every(({ resourceNames }) => list(resourceNames).length === 0));

/** The first rule of an audit policy that logs contents of Secrets; `undefined` where none does. */
export function loggedSecrets(policy: unknown): number | undefined {
  const rules = list((policy as { rules?: unknown } | undefined)?.rules);
  for (const [index, rule] of rules.entries()) {
    if (coversSecrets(rule)) {
      if (rule.level === "Request" || rule.level === "RequestResponse") {
        return index;
      }
      if (decides(rule)) {
        return undefined;
      }
    }
  }
  return undefined;
}
