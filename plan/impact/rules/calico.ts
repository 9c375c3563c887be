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

/** The pods that can no longer reach it. */
function newlyDenied(base: Objects, head: Objects): string | undefined {
  const [before, after] = [base, head].map(metadataNamespaces);
  if (after === undefined) {
    return undefined;
  }
  if (before !== undefined) {
    const removed = before.filter((name) => !after.includes(name));
    return removed.length === 0 ? undefined : `those in ${formatList(removed)}`;
  }
  return after.length === 0
    ? "those in every namespace"
    : `those in every namespace but ${formatList(after)}`;
}

/** The pods that can reach it from now on. */
function newlyAllowed(base: Objects, head: Objects): string | undefined {
  const [before, after] = [base, head].map(metadataNamespaces);
  if (before === undefined) {
    return undefined;
  }
  if (after === undefined) {
    return "those in every namespace";
  }
  const added = after.filter((name) => !before.includes(name));
  return added.length === 0 ? undefined : `those in ${formatList(added)}`;
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
    id: "azure-metadata-denied",
    source:
      "addons/azureMetadata.ts; calico v3.32.1 felix/calc/policy_sorter.go, felix/dataplane/windows/endpoint_mgr.go",
    ...ofDelivered({
      what: (base, head) => {
        const denied = newlyDenied(base, head);
        return (
          denied !== undefined &&
          base.has(installation) &&
          `Pods can no longer reach ${metadataService}: ${denied}`
        );
      },
      why: "a policy of Calico denies them new connections, also pods that run; what uses the identity of its node, such as an agent that is not in the node's network, gets no token any more",
      instead:
        "name its namespace in addons.azureMetadata.allowedNamespaces, or use a workload identity in its pods",
    }),
  },
  {
    id: "azure-metadata-allowed",
    source: "addons/azureMetadata.ts; CVE-2021-27075; CAPZ #1682",
    ...ofDelivered({
      what: (base, head) => {
        const allowed = newlyAllowed(base, head);
        return (
          allowed !== undefined &&
          base.has(installation) &&
          `Pods can reach ${metadataService} from now on: ${allowed}`
        );
      },
      why: "whoever may create a Pod there gets tokens of the identities of its node, and the settings of the machine's extensions",
      instead:
        "leave the namespace out of addons.azureMetadata.allowedNamespaces, and give its pods a workload identity",
    }),
  },
];
