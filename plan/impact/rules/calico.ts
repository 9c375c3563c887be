import { lt } from "semver";
import { calicoBlock } from "capz-windows-platform/network/defaults";
import { at, list, textAt } from "capz-windows-kit/untyped";
import type { Difference } from "../differences";
import { formatChange, formatList, formatValue } from "../format";
import type { ImpactRule } from "../impactRule";
import { ofDelivered, type Objects } from "./addons";

/** Calico's settings, beyond what is said about every add-on. */

const installation = "Installation default";

const blockSize = (objects: Objects): unknown => {
  const [pool] = list(at(objects.get(installation), "spec", "calicoNetwork", "ipPools"));
  return pool && (pool.blockSize ?? calicoBlock.calicos);
};

/** The namespaces whose pods may reach Azure's metadata service although others may not; `undefined` if all may. */
function metadataNamespaces(objects: Objects): readonly string[] | undefined {
  const policy = objects.get("GlobalNetworkPolicy capz-windows.azure-metadata");
  if (!list(at(policy, "spec", "egress")).some(({ action }) => action === "Deny")) {
    return undefined;
  }
  return [...textAt(policy, "spec", "selector").matchAll(/'([^']*)'/g)].map(([, name = ""]) => name);
}

const metadataService = "Azure's metadata service (169.254.169.254) and wire server (168.63.129.16)";

/** "every namespace", "no namespace but a and b": whose pods may reach it. */
function allowedText(objects: Objects): string {
  const namespaces = metadataNamespaces(objects);
  if (namespaces === undefined) {
    return "every namespace";
  }
  return namespaces.length === 0 ? "no namespace" : formatList(namespaces, Infinity);
}

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
      "packages/platform/compatibility.ts; tigera/operator v1.42.3 pkg/controller/installation/core_controller.go (maxUnavailable 1)",
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
    id: "azure-metadata",
    source:
      "addons/azureMetadata.ts; CVE-2021-27075; calico v3.32.1 felix/calc/policy_sorter.go, felix/dataplane/windows/endpoint_mgr.go",
    ...ofDelivered({
      what: (base, head) => {
        const [before, after] = [base, head].map(allowedText);
        return (
          base.has(installation) &&
          before !== after &&
          `Pods of ${after ?? ""} may reach ${metadataService}, until now of ${before ?? ""}`
        );
      },
      why: "a policy of Calico decides it, also for pods that run: whoever may create a Pod where it is open gets tokens of the identities of its node; an agent that needs them gets none any more where it is shut",
      instead:
        "name in addons.azureMetadata.allowedNamespaces the namespaces of agents that need it and no other ones, or use a workload identity in their pods",
    }),
  },
];
