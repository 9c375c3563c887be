import type { Difference } from "../differences";
import { formatList } from "../format";
import { touches, type ImpactRule } from "../impactRule";
import {
  countedNodes,
  poolLabel,
  poolNodes,
  replacedNodes,
  rolloutText,
  surgeAdvice,
  surgeOf,
} from "../machines";
import { inPool, poolRule } from "../poolRule";

/** MachineDeployments: pools whose machines are in no scale set. */

const templates = touches(["AzureMachineTemplate", "KubeadmConfigTemplate"]);
/** What Cluster API compares: bootstrap data and machines by the names of their templates. */
const machines = touches(
  "MachineDeployment",
  /^spec\.template\.spec(\.(version|bootstrap|infrastructureRef|failureDomain)\b|$)/,
);
const inPlace = /^spec\.template\.spec\.(minReadySeconds|readinessGates|taints)\b/;

/** What changes about the machines, in the users' words. */
const reasons: readonly (readonly [string, RegExp])[] = [
  ["Kubernetes version", /^spec\.template\.spec\.version$/],
  ["image", /\.image\b/],
  ["VM size", /\.vmSize$/],
  ["OS disk", /\.osDisk\b/],
  ["data disks", /\.dataDisks\b/],
  ["VM extensions", /\.vmExtensions\b/],
  ["security", /\.securityProfile\b/],
  ["network interfaces", /\.networkInterfaces\b/],
  ["Windows release", /windowsServerVersion/],
  ["Azure tags", /\.additionalTags\b/],
  ["zone", /\.failureDomain$/],
  ["bootstrap data", /^spec\.template\.spec\.(files|users|joinConfiguration|preKubeadm|postKubeadm)/],
];

const reasonsOf = (group: readonly Difference[]): string[] =>
  reasons.filter(([, path]) => group.some((difference) => path.test(difference.path))).map(([text]) => text);

export const deploymentRules: readonly ImpactRule[] = [
  poolRule({
    id: "deployment-rolls",
    severity: "rolls",
    source:
      "CAPI v1.14.2 core/reconcilers/machinedeployment/mdutil/util.go, MachineTemplateUpToDate: a template that differs makes a new MachineSet",
    match: machines,
    claims: (difference) => inPool(difference) && (templates(difference) || difference.kind === "replace"),
    explain: ({ base, head }, _, group) => {
      const nodes = replacedNodes(base, head);
      const changed = reasonsOf(group);
      return {
        what: `${poolLabel(head)} rolls: ${poolNodes(base, nodes)} replaced, ${rolloutText(head)}`,
        why: `a MachineDeployment replaces its machines for every change of their template${changed.length > 0 ? `: ${formatList(changed, 8)}` : ""}`,
        ...countedNodes(base, nodes),
        ...(surgeOf(head) === 0 ? { instead: surgeAdvice } : {}),
      };
    },
  }),
  poolRule({
    id: "deployment-in-place",
    source:
      "CAPI v1.14.2 core/reconcilers/machinedeployment/mdutil/util.go, MachineTemplateDeepCopyRolloutFields",
    match: touches("MachineDeployment", inPlace),
    what: ({ head }, matched) =>
      `${poolLabel(head)}: ${formatList([...new Set(matched.map(({ path }) => inPlace.exec(path)?.[1] ?? path))])} of its machines change, and nothing rolls`,
    why: "Cluster API writes these fields into the machines that run, too",
  }),
];
