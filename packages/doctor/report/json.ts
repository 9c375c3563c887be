import { z } from "zod";
import type { Diagnosis } from "../diagnosis";
import { stages } from "../rules/rule";
import { verdict } from "./text";

/** Version of the JSON report, which is raised when a field is removed or changes its meaning. */
const jsonVersion = 1;

export const formatJson = (diagnosis: Diagnosis): string =>
  `${JSON.stringify({ version: jsonVersion, ...diagnosis, verdict: verdict(diagnosis) }, null, 2)}\n`;

const text = z.string();

const proof = z.object({
  ...{ where: text, text },
  from: z.enum(["event", "container"]).optional().meta({ description: "Who wrote it, if no controller" }),
  since: text.optional(),
});

const finding = z.object({
  ...{ id: text, family: text, page: text, cause: text, symptom: text, source: text },
  stage: z.enum(stages),
  severity: z.enum(["error", "warning"]),
  scope: z.union([z.literal(["cluster", "control-plane"]), z.templateLiteral(["pool ", text])]),
  remedy: z.array(text).readonly().meta({ description: "Commands and lines of the stack file" }),
  proofs: z.array(proof).readonly(),
  consequences: z.array(z.object({ id: text, cause: text, proof })).readonly(),
});

const diagnosis = z.object({
  takenAt: text,
  cluster: z.object({ name: text, namespace: text }),
  stack: text.optional(),
  findings: z.array(finding).readonly(),
  unread: z.array(text).readonly().meta({ description: "What was asked and gave no answer" }),
  steps: z
    .array(
      z.object({
        ...{ name: text, detail: text, since: text.optional() },
        state: z.enum(["done", "running", "waiting"]),
      }),
    )
    .readonly(),
  notRunning: z
    .array(text)
    .readonly()
    .meta({ description: "Pods of which a container does not run; those that only start are a step" }),
  complete: z.boolean(),
  deleting: z.boolean(),
}) satisfies z.ZodType<Diagnosis>;

/** JSON schema of the report, for other programs; what it does not name may be there, too. */
export const diagnosisSchema = (): object => ({
  ...z.toJSONSchema(diagnosis.extend({ version: z.literal(jsonVersion), verdict: text }), { io: "input" }),
  title: "What `doctor --json` writes",
});
