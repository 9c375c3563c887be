import { minor } from "semver";
import { isRecord, ownValue } from "capz-windows-kit/untyped";
import { auditLevels, auditStages, firstWithOmittedFields } from "./builtInPolicy";
import { present } from "capz-windows-kit/present";

/**
 * What is wrong with an audit policy: an API server does not start with it, or ignores a field, and a rule then matches more
 * than it says (k8s.io/apiserver v0.35 pkg/audit/policy/reader.go and pkg/apis/audit/validation/validation.go).
 */
export interface AuditFault {
  /** The mapping in which it is, such as `rules[0]`; "" is the policy itself. */
  readonly within: string;
  /** The key, or for an item of a list the key with its index. */
  readonly key: string;
  readonly value?: unknown;
  readonly problem: string;
  readonly allowed: string;
}

type Plain = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => Pick<AuditFault, "problem" | "allowed"> | undefined;

const texts =
  (allowed: string, isRight: (text: string) => boolean = () => true): Check =>
  (value) => {
    if (!Array.isArray(value)) {
      return { problem: "not a list", allowed };
    }
    return value.every((one) => typeof one === "string" && isRight(one))
      ? undefined
      : { problem: "not all of it is right", allowed };
  };

const anyTexts = texts("a list of texts");

const stages = texts(`a list of ${auditStages.join(", ")}`, (text) =>
  (auditStages as readonly string[]).includes(text),
);

const flag: Check = (value) =>
  typeof value === "boolean" ? undefined : { problem: "neither true nor false", allowed: "true or false" };

const exactly =
  (...allowed: readonly string[]): Check =>
  (value) =>
    allowed.includes(value as string)
      ? undefined
      : {
          problem: value === undefined ? "missing" : "not a value that the API server knows",
          allowed: allowed.join(", "),
        };

const anything: Check = () => undefined;

const omissions = (version: string): Readonly<Record<string, Check>> => ({
  omitStages: stages,
  ...(minor(version) < firstWithOmittedFields ? {} : { omitManagedFields: flag }),
});

const groupKeys: Readonly<Record<string, Check>> = {
  group: (value) =>
    typeof value === "string" && /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/.test(value)
      ? undefined
      : {
          problem: "not the name of an API group",
          allowed: 'a group such as apps; "" is the core group',
        },
  resources: anyTexts,
  resourceNames: anyTexts,
};

const isUrl = (text: string): boolean => text === "*" || /^\/[^*]*\*?$/.test(text);

const ruleKeys: Readonly<Record<string, Check>> = {
  level: exactly(...auditLevels),
  users: anyTexts,
  userGroups: anyTexts,
  verbs: anyTexts,
  namespaces: anyTexts,
  nonResourceURLs: texts("a list of paths that begin with /, with * at the end only", isUrl),
  resources: anything,
};

/** Keys that a mapping must not have, and values of others. */
function keyFaults(within: string, value: Plain, known: Readonly<Record<string, Check>>): AuditFault[] {
  return Object.entries(value).flatMap(([key, one]): AuditFault[] => {
    const check = ownValue(known, key);
    if (check === undefined) {
      return [
        {
          ...{ within, key },
          problem: "the API server does not know this field, and ignores it",
          allowed: Object.keys(known).join(", "),
        },
      ];
    }
    const fault = check(one);
    return fault === undefined ? [] : [{ ...{ within, key, value: one }, ...fault }];
  });
}

/** Values that a mapping must have. */
const required = (
  within: string,
  value: Plain,
  known: Readonly<Record<string, Check>>,
  keys: readonly string[],
) =>
  keys.flatMap((key): AuditFault[] => {
    const fault = key in value ? undefined : known[key]?.(undefined);
    return fault === undefined ? [] : [{ ...{ within, key }, ...fault }];
  });

function resourceFaults(within: string, resources: unknown): AuditFault[] {
  const fault = {
    ...{ within, key: "resources", value: resources },
    problem: "not a list of groups",
    allowed: "a list of {group, resources, resourceNames}",
  };
  if (!Array.isArray(resources) || !resources.every(isRecord)) {
    return [fault];
  }
  return resources.flatMap((one, index): AuditFault[] => {
    const here = `${within}.resources[${index}]`;
    const { resources: names, resourceNames } = one;
    return present(
      ...keyFaults(here, one, groupKeys),
      Array.isArray(resourceNames) &&
        resourceNames.length > 0 &&
        names === undefined && {
          ...{ within: here, key: "resourceNames", value: resourceNames },
          problem: "names without the resources that have them",
          allowed: "resources beside it, such as [configmaps]",
        },
    );
  });
}

function ruleFaults(rule: unknown, index: number, version: string): AuditFault[] {
  const within = `rules[${index}]`;
  if (!isRecord(rule)) {
    return [
      {
        ...{ within: "", key: within, value: rule },
        problem: "not a rule",
        allowed: "a mapping with level, and what it is about",
      },
    ];
  }
  const known = { ...ruleKeys, ...omissions(version) };
  const isSet = (key: string): boolean => Array.isArray(rule[key]) && rule[key].length > 0;
  return present(
    ...required(within, rule, known, ["level"]),
    ...keyFaults(within, rule, known),
    ...("resources" in rule ? resourceFaults(within, rule.resources) : []),
    isSet("nonResourceURLs") &&
      (isSet("resources") || isSet("namespaces")) && {
        ...{ within, key: "nonResourceURLs", value: rule.nonResourceURLs },
        problem:
          "one rule is about resources and about other URLs, and the API server does not start with it",
        allowed: "a separate rule for nonResourceURLs",
      },
  );
}

/**
 * @param policy - a value of YAML
 * @param kubernetesVersion - of the control plane, with leading v
 */
export function auditPolicyFaults(policy: unknown, kubernetesVersion: string): AuditFault[] {
  const known: Readonly<Record<string, Check>> = {
    apiVersion: exactly("audit.k8s.io/v1"),
    kind: exactly("Policy"),
    metadata: anything,
    rules: (rules) =>
      Array.isArray(rules) && rules.length > 0
        ? undefined
        : {
            problem: "an API server does not start with a policy without rules",
            allowed: "a list of rules, each with a level; the first that matches decides",
          },
    ...omissions(kubernetesVersion),
  };
  const whole = isRecord(policy) ? policy : {};
  const { rules } = whole;
  return [
    ...required("", whole, known, ["apiVersion", "kind", "rules"]),
    ...keyFaults("", whole, known),
    ...(Array.isArray(rules) ? rules : []).flatMap((rule, index) =>
      ruleFaults(rule, index, kubernetesVersion),
    ),
  ];
}
