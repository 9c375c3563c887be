import { z } from "zod";
import { placeholder } from "capz-windows-kit/writeLine";
import { policyIds } from "../policy/policyIds";
import { keyWithDefault, mapping, matching, optionalKey } from "./scalars";

/** Findings of policies that are accepted for a time. */

/** Whether its month has such a day. */
const isDay = (text: string): boolean => {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  return Date.UTC(year, month - 1, day) < Date.UTC(year, month, 1);
};

const policyException = mapping(
  "An exception",
  {
    rule: z
      .enum(policyIds)
      .meta({ description: "Rule whose findings are accepted", examples: ["unprotected"] }),
    reason: matching(/\S/, {
      description: "Why, for whoever reads the finding: who has decided it, or what has to happen first",
      allowed: "a text",
      placeholder: placeholder("why it is accepted"),
      examples: ["a test cluster, which is deleted every week"],
    }),
    until: z
      .string()
      // Some parsers of YAML make a time of a date without quotes, which arrives with one.
      .regex(/^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T00:00:00Z)?$/)
      .refine(isDay)
      .meta({
        description:
          "Last day of the exception, at most a year from today. From the next day on, its findings are back",
        allowed: "a day as YEAR-MONTH-DAY",
        placeholder: placeholder("last day as YEAR-MONTH-DAY in quotes"),
        examples: ["2027-03-31"],
      }),
    path: optionalKey(z.string().min(1), {
      description:
        "Key of the finding, or a key around it, as the finding names it. Default: all findings of the rule",
      examples: ["windowsPools.win1"],
    }),
  },
  { rule: "unprotected", reason: "a test cluster, which is deleted every week", until: "2027-03-31" },
);

export const policyExceptions = keyWithDefault(z.array(policyException).max(100), [], {
  description:
    "Findings of [policies](policies.md#exceptions) that are accepted, each with a reason and a last day. They change nothing but reports",
  allowed: "a list of exceptions, each with rule, reason and until",
  examples: [
    [{ rule: "unprotected", reason: "a test cluster, which is deleted every week", until: "2027-03-31" }],
  ],
});

export type PolicyException = z.output<typeof policyException>;
