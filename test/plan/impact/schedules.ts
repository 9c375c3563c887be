import { diffPlans } from "../../../plan/compare/diffPlans";
import { impactsOf } from "../../../plan/impact/impacts";
import { scheduleOf } from "../../../plan/impact/schedule";
import type { Schedule } from "../../../plan/impact/scheduleSchema";
import { scheduleTexts } from "../../../plan/reports/scheduleTexts";
import { estimatedMinutes } from "capz-windows-platform/machines/rollMinutes";
import { updateInline } from "../../support/inlinePlans";
import { documentOf } from "../../support/planDocuments";
import { minimal } from "../../support/stacks";

const stack = (more: Readonly<Record<string, unknown>>) => ({
  ...minimal(),
  controlPlane: { replicas: 3, deletion: { nodeDrainTimeoutSeconds: 600 } },
  linuxPools: { lin: { replicas: 3 } },
  windowsPools: {
    win1: { replicas: 4, rollout: { maxSurge: 2 } },
    one: { kind: "MachineDeployment", replicas: 2, deletion: { nodeDrainTimeoutSeconds: 1800 } },
  },
  ...more,
});

export async function scheduleBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Promise<Schedule | undefined> {
  const [from, to] = [await updateInline(stack(before)), await updateInline(stack(after))];
  const [base, head] = [documentOf(from), documentOf(to)];
  const impacts = impactsOf({ base, head, diff: diffPlans(base, head) });
  return scheduleOf(impacts, { base: from.cluster, head: to.cluster }, estimatedMinutes);
}

export const textOf = (schedule: Schedule | undefined): string[] =>
  schedule === undefined ? [] : scheduleTexts(schedule);
