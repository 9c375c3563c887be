import { stackParts } from "capz-windows-platform/cluster/clients";
import type { Problem } from "capz-windows-kit/problem";
import { at, isRecord } from "capz-windows-kit/untyped";
import type { Settings } from "./settings";

/** Stacks that make only a management cluster, and stacks that use the one of another stack. */

type Config = Readonly<Record<string, unknown>>;

/** Whether a stack makes only a management cluster; all other stacks have a workload cluster. */
export const isManagementOnly = ({ management }: Pick<Settings, "management">): boolean =>
  management.kind !== "stack" && management.only;

/** The same of a config that may be wrong. */
const saysOnly = (config: unknown): boolean =>
  at(config, "management", "only") === true && at(config, "management", "kind") !== "stack";

/** Keys of a stack that makes only a management cluster. */
const managementKeys: readonly string[] = [
  ...["clusterName", "azure", "management", "managementKubeconfig", "clusterApi", "tags", "protect"],
  "policyExceptions",
];

/** Keys that a stack must have if it has a workload cluster. */
export const neededByWorkload: readonly string[] = ["kubernetesVersion", "access"];

/** Whether a path of the config concerns a stack: without a workload cluster, none of its paths does. */
export const concerns = (settings: Pick<Settings, "management">, path: string): boolean =>
  !isManagementOnly(settings) || managementKeys.includes(path.split(/[.[]/)[0] ?? "");

/**
 * Adds what every workload cluster must have, so that the schema does not miss it in a stack without one. Nothing reads
 * these values: problems, warnings and findings about them do not concern the stack.
 */
export const withoutWorkload = (config: Config): Config =>
  saysOnly(config) ? { kubernetesVersion: "v1.36.5", access: { sshPublicKey: "" }, ...config } : config;

/** What belongs to a workload cluster, in a stack that has none. */
export function managementOnlyProblems(config: Config): Problem[] {
  if (!saysOnly(config)) {
    return [];
  }
  const top = Object.keys(config).filter((key) => !managementKeys.includes(key));
  const inner = (["azure.resourceGroup", "azure.roles", "clusterApi.identity"] as const).filter((path) => {
    const [outer = "", key = ""] = path.split(".");
    const value = config[outer];
    return isRecord(value) && value[key] !== undefined;
  });
  return [...top, ...inner].map((path) => ({
    path,
    uses: [path, "management"],
    problem:
      "this belongs to a workload cluster, and the stack makes only a management cluster (management.only)",
    allowed: `in the stack files of workload clusters, with management.kind: stack; here ${managementKeys.join(", ")}`,
  }));
}

/** The stack that runs. */
interface ThisStack {
  readonly project: string;
  readonly stack: string;
}

/**
 * A reference to a stack that cannot be right.
 * @param other - the settings of the other stack, where they are known
 */
export function referenceProblems(
  { management }: Pick<Settings, "management">,
  self: ThisStack,
  other?: () => Settings,
): Problem[] {
  if (management.kind !== "stack") {
    return [];
  }
  const { stack: name } = management;
  const { project, stack } = stackParts(name);
  const path = "management.stack";
  if (project === self.project && stack === self.stack) {
    return [
      {
        ...{ path, value: name },
        problem: "the stack refers to itself",
        allowed:
          "ORGANIZATION/PROJECT/STACK of another stack, which makes the management cluster (management.only)",
      },
    ];
  }
  return other === undefined || isManagementOnly(other())
    ? []
    : [
        {
          ...{ path, value: name },
          problem: `the stack ${stack} does not make a management cluster for other stacks`,
          allowed: "a stack with management.only: true",
        },
      ];
}
