import { list, strings, textAt } from "capz-windows-kit/untyped";
import { namesResource } from "./unlogged";

type Rule = Readonly<Record<string, unknown>>;

/** What has a credential in its request or its answer. */
interface Body {
  readonly what: string;
  readonly group: string;
  readonly resource: string;
  readonly levels: readonly string[];
  /** Of the only requests for it; all where there is none. */
  readonly verb?: string;
  /** Whether it is of no namespace, so that a rule for namespaces is not about it. */
  readonly isOfCluster?: true;
}

const both = ["Request", "RequestResponse"];

/** Source: https://github.com/kubernetes/kubernetes/blob/v1.36.0/cluster/gce/gci/configure-helper.sh (create-master-audit-policy) */
const bodies: readonly Body[] = [
  { what: "contents of Secrets", group: "", resource: "secrets", levels: both },
  {
    ...{ what: "tokens of people and pods", group: "authentication.k8s.io", resource: "tokenreviews" },
    ...{ levels: both, verb: "create", isOfCluster: true },
  },
  {
    ...{ what: "new tokens of service accounts", group: "", resource: "serviceaccounts/token" },
    ...{ levels: ["RequestResponse"], verb: "create" },
  },
];

/** Whether a rule is about some requests for it. Verbs have no star (k8s.io/apiserver pkg/audit/policy/checker.go, ruleMatches). */
const covers = (rule: Rule, { group, resource, verb, isOfCluster }: Body): boolean =>
  (verb === undefined || list(rule.verbs).length === 0 || strings(rule.verbs).includes(verb)) &&
  (isOfCluster !== true || list(rule.namespaces).length === 0 || strings(rule.namespaces).includes("")) &&
  (list(rule.resources).length === 0
    ? strings(rule.nonResourceURLs).length === 0
    : list(rule.resources).some(
        (one) => textAt(one, "group") === group && namesResource(one.resources, resource),
      ));

const conditions = ["users", "userGroups", "namespaces"];

/** Whether it decides about every request for it, so that later rules do not. */
const decides = (rule: Rule, { verb }: Body): boolean =>
  conditions.every((key) => list(rule[key]).length === 0) &&
  (verb !== undefined || list(rule.verbs).length === 0) &&
  list(rule.resources).every(({ resourceNames }) => list(resourceNames).length === 0);

interface LoggedBodies {
  /** The number of the rule. */
  readonly rule: number;
  readonly what: string;
  /** The rule to write before it. */
  readonly before: string;
}

/** The rules by which an audit policy logs credentials, with the kinds of each; none where it logs none. */
export function loggedBodies(policy: unknown): LoggedBodies[] {
  const rules = list((policy as { rules?: unknown } | undefined)?.rules);
  const logged = bodies.flatMap((body) => {
    const rule = rules.findIndex(
      (one) => covers(one, body) && (body.levels.includes(textAt(one, "level")) || decides(one, body)),
    );
    return body.levels.includes(textAt(rules[rule], "level")) ? [{ ...body, rule }] : [];
  });
  return [...new Set(logged.map(({ rule }) => rule))].map((rule) => {
    const same = logged.filter((one) => one.rule === rule);
    const entries = same.map(
      ({ group, resource }) => `{group: ${group === "" ? '""' : group}, resources: [${resource}]}`,
    );
    return {
      ...{ rule, what: same.map(({ what }) => what).join(", ") },
      before: `{level: Metadata, resources: [${entries.join(", ")}]}`,
    };
  });
}
