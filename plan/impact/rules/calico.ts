import { lt } from "semver";
import { calicoBlock } from "../../../platform/network/defaults";
import { at, list, textAt } from "../../../tools/untyped";
import type { Difference } from "../differences";
import { formatChange, formatValue } from "../format";
import type { ImpactRule } from "../impactRule";
import { ofDelivered, type Objects } from "./addons";

/** Calico's settings, beyond what is said about every add-on. */

const installation = "Installation default";

const blockSize = (objects: Objects): unknown => {
  const [pool] = list(at(objects.get(installation), "spec", "calicoNetwork", "ipPools"));
  return pool && (pool.blockSize ?? calicoBlock.calicos);
};

/** The pods that may not reach Azure's metadata service, as a selector; `undefined` if all may. */
const deniedMetadata = (objects: Objects): string | undefined => {
  const policy = objects.get("GlobalNetworkPolicy capz-windows.azure-metadata");
  return list(at(policy, "spec", "egress")).some(({ action }) => action === "Deny")
    ? textAt(policy, "spec", "selector")
    : undefined;
};

/**
 * The version of Calico's operator manifest, or of the operator where a plan has the manifest itself. Without the
 * same form on both sides of a comparison, the versions are not known.
 */
function calicoVersions(
  differences: readonly Difference[],
  pattern: RegExp,
): readonly (string | undefined)[] {
  return (["base", "head"] as const).map((side) => {
    const texts = differences.map((difference) => JSON.stringify(difference[side]?.inputs.data ?? ""));
    return texts.map((text) => pattern.exec(text)?.[1]).find((version) => version !== undefined);
  });
}

const calicoPatterns = [/# tigera-operator (v\d+\.\d+\.\d+):/, /tigera\/operator:(v\d+\.\d+\.\d+)/];

/** The versions before and after as text, if they are known and a comparison of both holds. */
function calicoChange(
  differences: readonly Difference[],
  holds: (before: string, after: string) => boolean,
): string | undefined {
  const found = calicoPatterns
    .map((pattern) => calicoVersions(differences, pattern))
    .find(([before, after]) => before !== undefined && after !== undefined && holds(before, after));
  return found && formatChange(found[0], found[1]);
}

export const calicoRules: readonly ImpactRule[] = [
  {
    id: "calico-downgrade",
    severity: "destroys",
    source:
      "https://docs.tigera.io/calico/latest/operations/upgrading/kubernetes-upgrade (upgrades only); tigera/operator v1.42.3",
    ...ofDelivered({
      what: (_base, _head, matched) => {
        const older = calicoChange(matched, (before, after) => lt(after, before));
        return (
          older !== undefined &&
          `Calico goes back to an older version: ${older}; the network of every pod may fail`
        );
      },
      why: "the older operator works with custom resources and definitions that the newer one has already changed; Calico tests and documents upgrades only",
      instead: "keep the version; if you must go back, try it first on a cluster that you can lose",
    }),
  },
  {
    id: "calico-upgrade",
    source:
      "platform/compatibility.ts; tigera/operator v1.42.3 pkg/controller/installation/core_controller.go (maxUnavailable 1)",
    ...ofDelivered({
      what: (_base, _head, matched) => {
        const newer = calicoChange(matched, lt);
        return (
          newer !== undefined &&
          `Calico is upgraded: ${newer}; its operator replaces calico-node on every node, Linux and Windows, one node after the other`
        );
      },
      why: "Calico's version follows kubernetesVersion, in the same `up`: it changes after the control plane and before the pools",
      instead: `addons.calicoVersion with the present version, to upgrade Kubernetes alone; remove it in a later \`up\``,
    }),
  },
  {
    id: "calico-block-size",
    severity: "refused",
    source:
      "calico v3.32.1 libcalico-go/lib/clientv3/ippool.go (BlockSize cannot be modified); tigera/operator v1.42.3 pkg/controller/ippool",
    ...ofDelivered({
      explain: (base, head) => {
        const [before, after] = [base, head].map(blockSize);
        return before === undefined || after === undefined || before === after
          ? undefined
          : {
              what: `Calico cannot give nodes other blocks of addresses: ${formatChange(before, after)}`,
              why: "Calico refuses the change of a range that exists, and its operator would then change none any more",
              instead: `calicoBlockSize: ${formatValue(before)} in addons; other blocks need a new cluster`,
            };
      },
    }),
  },
  {
    id: "azure-metadata-denied",
    source:
      "addons/azureMetadata.ts; calico v3.32.1 felix/calc/policy_sorter.go, felix/dataplane/windows/endpoint_mgr.go",
    ...ofDelivered({
      what: (base, head) => {
        const after = deniedMetadata(head);
        return (
          after !== undefined &&
          after !== deniedMetadata(base) &&
          base.has(installation) &&
          `Pods can no longer reach Azure's metadata service (169.254.169.254) and wire server (168.63.129.16): those with ${after}`
        );
      },
      why: "a policy of Calico denies them new connections, also pods that run; what uses the identity of its node, such as an agent that is not in the node's network, gets no token any more",
      instead:
        "name its namespace in addons.azureMetadata.allowedNamespaces, or use a workload identity in its pods",
    }),
  },
];
