import type { Fact } from "../facts";
import { isPool, poolRow } from "../poolRow";
import type { Row } from "../row";
import { about } from "../row";
import { poolLabel, poolNodes, surgeOf } from "../scene";
import { listed } from "../words";
import { rollout } from "./pools";

/** Pools of single machines. */

const templates = about(["AzureMachineTemplate", "KubeadmConfigTemplate"]);
const machines = about("MachineDeployment", /^spec\.template\.spec\b/);

/** What is new about the machines, in the users' words. */
const reasons: readonly (readonly [string, RegExp])[] = [
  ["Kubernetes version", /^spec\.template\.spec\.version$/],
  ["image", /\.image\b/],
  ["VM size", /\.vmSize$/],
  ["OS disk", /\.osDisk\b/],
  ["Windows release", /windowsServerVersion/],
  ["Azure tags", /\.additionalTags\b/],
  ["zone", /\.failureDomain$/],
  ["bootstrap data", /^spec\.template\.spec\.(files|users|joinConfiguration|preKubeadm|postKubeadm)/],
];

const reasonsOf = (group: readonly Fact[]): string[] =>
  reasons.filter(([, path]) => group.some((fact) => path.test(fact.path))).map(([text]) => text);

export const deploymentRows: readonly Row[] = [
  poolRow(
    {
      rule: "deployment-rolls",
      severity: "rolls",
      source:
        "CAPI v1.13 internal/controllers/machinedeployment: a template that differs makes a new MachineSet",
      match: machines,
      claims: (fact) => isPool(fact) && (templates(fact) || fact.kind === "replace"),
    },
    ({ old, fresh }, _, group) => {
      const nodes = Math.min(old.nodes, fresh.autoscaled ? old.nodes : fresh.nodes);
      const changed = reasonsOf(group);
      return {
        what: `${poolLabel(fresh)} rolls: ${poolNodes({ ...fresh, nodes })} replaced, ${rollout(fresh)}`,
        why: `every change of its machines makes new ones${changed.length > 0 ? `: ${listed(changed, 8)}` : ""}`,
        nodes,
        ...(surgeOf(fresh) === 0
          ? { instead: "set rollout.maxSurge to 1, so that a new node is there before an old one goes" }
          : {}),
      };
    },
  ),
];
