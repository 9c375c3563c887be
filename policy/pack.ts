import { decodeConfig } from "../config/parse";
import { afterExceptions, isRoughlyAbout } from "../config/policy/exceptions";
import { distinct, findingsOfRule } from "../config/policy/findings";
import { policies } from "../config/policy/policies";
import { policyIds, type PolicyId } from "../config/policy/policyIds";
import type { PolicyException } from "../config/schema/policyExceptions";
import { projectConfig } from "../config/stackFile";
import { exceptionText, type FoundInConfig, type Level } from "../tools/finding";
import { at, isRecord, list } from "../tools/untyped";
import type { Facts } from "../config/policy/facts";
import { factsOfResources } from "./facts";
import { plainResource, type PolicyResource } from "./resource";

/** The policies of the plan for Pulumi's policy analyzer (CrossGuard), which reads what a program registers. */

/** What an organisation sets for a policy, in the file of --policy-pack-config or in Pulumi Cloud. */
export interface PolicyConfig {
  /** Exceptions of the organisation. */
  readonly exceptions?: readonly (Omit<PolicyException, "rule"> & {
    /** Name of the stack. Default: every stack. */
    readonly stack?: string;
  })[];
  /** Whether policyExceptions of the stack file count. Default: true. */
  readonly stackFile?: boolean;
}

interface Arguments {
  readonly resources: readonly PolicyResource[];
  readonly getConfig: () => PolicyConfig;
}

type Report = (message: string, urn?: string) => void;

/** What Pulumi says to the process of a policy pack, and the day. */
export interface StackContext {
  readonly stack: string;
  /** As in the stack file, by whole key. */
  readonly config: Readonly<Record<string, string>>;
  /** Such as 2026-11-25. */
  readonly today: string;
}

/** A finding stops a run if it is an error. */
const enforcement = { error: "mandatory", warning: "advisory", note: "advisory" } as const satisfies Record<
  Level,
  string
>;

const severities = { error: "high", warning: "medium", note: "low" } as const satisfies Record<Level, string>;

const configSchema = {
  properties: {
    exceptions: {
      type: "array",
      description: "Findings that the organisation accepts until a day, at most a year from today",
      items: {
        type: "object",
        properties: {
          reason: { type: "string", minLength: 1 },
          until: { type: "string", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" },
          path: { type: "string", minLength: 1 },
          stack: { type: "string", minLength: 1 },
        },
        required: ["reason", "until"],
        additionalProperties: false,
      },
    },
    stackFile: {
      type: "boolean",
      description: "Whether policyExceptions of the stack file count",
      default: true,
    },
  },
} as const;

/** Exceptions of the stack file; none where it has something else at the key. */
const ownExceptions = (config: Readonly<Record<string, unknown>>): PolicyException[] =>
  list(config.policyExceptions)
    .filter((one) => ["rule", "reason", "until"].every((key) => typeof one[key] === "string"))
    .map((one) => one as unknown as PolicyException);

const messageOf = (finding: FoundInConfig): string => {
  const { path, message, write } = finding;
  const exception = exceptionText(finding);
  return [
    `${path === "" ? "" : `${path}: `}${message}`,
    ...(exception === undefined ? [] : [exception]),
    ...(write === undefined ? [] : [`Write: ${write}`]),
  ].join(". ");
};

/** The facts of the resources of one run, which Pulumi hands to each policy. */
function factsOnce(own: Readonly<Record<string, unknown>>): (resources: readonly PolicyResource[]) => Facts {
  let last: { readonly resources: readonly PolicyResource[]; readonly facts: Facts } | undefined;
  return (resources) => {
    if (last?.resources !== resources) {
      const [all, digests] = [resources.map(plainResource), at(own.clusterApi, "digests")];
      last = { resources, facts: factsOfResources(all, own.imageDigests !== undefined, digests) };
    }
    return last.facts;
  };
}

const policyOf = (
  id: PolicyId,
  { stack, today }: StackContext,
  own: Readonly<Record<string, unknown>>,
  factsOf: ReturnType<typeof factsOnce>,
) => {
  const { level, title, why, source, write } = policies[id];
  return {
    name: id,
    displayName: title,
    description: `${title}. ${why}`,
    enforcementLevel: enforcement[level],
    severity: severities[level],
    remediationSteps: `Write: ${write}`,
    url: source,
    configSchema,
    validateStack: ({ resources, getConfig }: Arguments, report: Report): void => {
      const { exceptions = [], stackFile = true } = getConfig();
      const accepted = [
        ...exceptions
          .filter((one) => one.stack === undefined || one.stack === stack)
          .map((one) => ({ ...one, rule: id })),
        ...(stackFile ? ownExceptions(own) : []),
      ];
      for (const found of distinct(findingsOfRule(id, factsOf(resources), own, today))) {
        const finding = afterExceptions(found, accepted, today, isRoughlyAbout);
        if (finding.accepted === undefined) {
          report(messageOf(finding), finding.urn);
        }
      }
    },
  };
};

/** The arguments of a PolicyPack. */
export const packOf = (surroundings: StackContext) => {
  const decoded: unknown = decodeConfig(projectConfig(surroundings.config));
  const own = isRecord(decoded) ? decoded : {};
  const factsOf = factsOnce(own);
  return {
    enforcementLevel: "advisory" as const,
    policies: policyIds.map((id) => policyOf(id, surroundings, own, factsOf)),
  };
};
