import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inTemporaryFolder } from "capz-windows-kit/commandLine/temporaryFolder";
import { isRecord } from "capz-windows-kit/untyped";
import { planStack } from "../../plan/cli/planStack";
import type { Plan } from "../../plan/model/plan";
import { normalObject } from "./capz/normal";
import { rolesOf, type ClusterObjects } from "./capz/roles";
import { stackFileText } from "./write";

/** The cluster's own objects among those of a plan. */
export const objectsOfPlan = ({ objects }: Pick<Plan, "objects">): ClusterObjects =>
  rolesOf(objects.management.map(({ object }) => normalObject(object)).filter(({ spec }) => isRecord(spec)));

/** The objects that a stack would have, from a plan, which needs neither a cloud nor credentials. */
export function planned(
  config: Readonly<Record<string, unknown>>,
  projectDir: string,
): Promise<ClusterObjects> {
  return inTemporaryFolder("import", async (folder) => {
    const configFile = join(folder, "Pulumi.imported.yaml");
    writeFileSync(configFile, stackFileText(config));
    return objectsOfPlan(await planStack({ projectDir, stack: "imported", configFile, isTrial: true }));
  });
}
