import { diffPlans } from "../../plan/compare/diffPlans";
import type { Impact } from "../../plan/impact/impact";
import { impactsOf } from "../../plan/impact/impacts";
import type { Plan } from "../../plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import { documentOf } from "../support/planDocuments";
import { minimal } from "../support/stacks";

type Raw = Readonly<Record<string, unknown>>;

/** Config of a stack with this name, one control plane machine and no pool. */
export const stackOf = (clusterName: string, more: Raw): Raw => ({
  ...minimal(),
  clusterName,
  protect: false,
  controlPlane: { replicas: 1 },
  ...more,
});

/** The image of a pool, by its version in a gallery of one's own. */
export const image = (version: string) => ({
  image: { computeGallery: { gallery: "mine", name: "capi-windows", version } },
});

export const planned = (raw: Raw): Promise<Plan> => updateInline(raw);

/** Impacts of a change, like in `npm run plan -- --against`. */
export function impactsBetween(before: Plan, after: Plan): Impact[] {
  const [base, head] = [documentOf(before), documentOf(after)];
  return impactsOf({ base, head, diff: diffPlans(base, head) });
}

/** The impact of one rule, about one subject if there are several. Throws if there is none. */
export function impactOf(impacts: readonly Impact[], rule: string, subject = ""): Impact {
  const found = impacts.find((impact) => impact.rule === rule && impact.what.includes(subject));
  if (!found) {
    throw new Error(
      `no impact ${rule} about "${subject}"; there are ${impacts.map((impact) => `${impact.rule}: ${impact.what}`).join("\n")}`,
    );
  }
  return found;
}

export interface PlannedPool {
  readonly name: string;
  readonly kind: "MachinePool" | "MachineDeployment";
  /** Number of nodes. With an autoscaler, its minimum. */
  readonly replicas: number;
}

const autoscalerMin = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";

export const poolsOf = ({ objects }: Plan): PlannedPool[] =>
  objects.management.flatMap(({ object: { kind, metadata, spec } }) =>
    kind === "MachinePool" || kind === "MachineDeployment"
      ? [
          {
            name: metadata.name,
            kind,
            replicas: Number(
              (spec as { replicas?: number }).replicas ?? metadata.annotations?.[autoscalerMin] ?? 1,
            ),
          },
        ]
      : [],
  );

/** Machines of the control plane and of every pool. */
export const machinesOf = (plan: Plan): number =>
  poolsOf(plan).reduce((sum, { replicas }) => sum + replicas, plan.settings.controlPlane.replicas);

/** Prints what the plan said of a change beside what happened. */
export function sideBySide(impact: Impact, happened: string): void {
  process.stdout.write(`plan: ${impact.what}\nlife: ${happened}\n`);
}
