import { windowsBuilds } from "capz-windows-platform/machines/windowsReleases";
import { startsOn, windowsVersion } from "capz-windows-platform/workloads/windowsVersions";
import type { ClusterModel } from "../../model/cluster/types";
import { formatList } from "../format";
import { touches, type ClusterPair, type ImpactRule } from "../impactRule";
import { poolLabel } from "../machines";
import { inPool, poolRule } from "../poolRule";
import { deliveredSides, isContent, policyActions, type Objects } from "./addons";
import { takesAll } from "./placement";

const versionOf = (windowsServer = "") => windowsVersion(windowsBuilds[windowsServer] ?? "");

const releasesOf = (cluster: ClusterModel | undefined): string[] => [
  ...new Set((cluster?.pools ?? []).flatMap(({ windowsServer }) => windowsServer ?? [])),
];

/** Whether hosts of a release start containers of another one. */
function starts(host: string, container: string): boolean {
  const [on, of] = [versionOf(host), versionOf(container)];
  return on === undefined || of === undefined || startsOn(on, of, "process");
}

/** A release that a cluster has and keeps, and one that it gets and that does not start containers of it. */
function mixedReleases({ base, head }: ClusterPair): { former: string; added: string } | undefined {
  const [before, after] = [releasesOf(base), releasesOf(head)];
  const pairs = before
    .filter((former) => after.includes(former))
    .flatMap((former) =>
      after.filter((added) => !before.includes(added)).map((added) => ({ former, added })),
    );
  return pairs.find(({ former, added }) => !starts(added, former));
}

function pinText(release: string, objects: Objects): string {
  const runtimeClass = `windows-${release}`;
  const also = objects.has(`RuntimeClass ${runtimeClass}`) ? `, or runtimeClassName: ${runtimeClass}` : "";
  return `before \`pulumi up\`, pin their workloads: nodeSelector node.kubernetes.io/windows-build: ${windowsBuilds[release] ?? ""}${also}`;
}

/** What another release of Windows Server means to the containers on a pool. */
export const windowsReleaseRules: readonly ImpactRule[] = [
  {
    id: "windows-pods-unpinned",
    source:
      "https://kubernetes.io/docs/concepts/windows/user-guide/#handling-multiple-windows-versions-in-the-same-cluster; packages/platform/workloads/admissionPolicy.ts (variables hosts and wrongImages)",
    per: "stack",
    informational: true,
    match: (difference) => inPool(difference) || isContent(difference),
    explain: (matched, clusters) => {
      const releases = mixedReleases(clusters);
      if (releases === undefined) {
        return undefined;
      }
      const { former, added } = releases;
      const [, objects] = deliveredSides(matched.filter(isContent));
      const pods = `Pods for Windows Server ${former} that select no build`;
      const instead = pinText(former, objects);
      if (policyActions(objects) === "Deny") {
        return {
          what: `${pods} are refused at their next creation, because the cluster gets Windows Server ${added}`,
          why: "the policy denies an image whose tag names a release that not every Windows node starts; pods that run stay until they are created again",
          instead,
        };
      }
      const open = (clusters.head?.pools ?? []).filter(
        (pool) => pool.windowsServer === added && takesAll(pool),
      );
      return (
        open.length > 0 && {
          what: `${pods} may land on ${formatList(open.map(poolLabel))} (Windows Server ${added}), and do not start there`,
          why: "the scheduler does not look into images; pods that run stay until they are created again",
          instead,
        }
      );
    },
  },
  poolRule({
    id: "windows-release",
    source:
      "github.com/containerd/platforms v1.0.0-rc.4 (containerd 2.3), github.com/Microsoft/hcsshim v0.15.0 osversion",
    match: touches(["AzureMachinePool", "AzureMachineTemplate"]),
    informational: true,
    explain: ({ base, head }) => {
      const [before, after] = [versionOf(base.windowsServer), versionOf(head.windowsServer)];
      if (before === undefined || after === undefined || before.build === after.build) {
        return undefined;
      }
      const still = startsOn(after, before, "process");
      return {
        what: `${poolLabel(head)} goes from Windows Server ${base.windowsServer ?? ""} to ${head.windowsServer ?? ""}: ${still ? "containers of the former release still start there" : "containers of the former release no longer start there"}`,
        why: `Windows Server ${head.windowsServer ?? ""} starts containers of that release${still ? " and of the one before" : " only"}; pods that select build ${before.build}, or its RuntimeClass, are no longer scheduled there`,
        instead:
          "`npm run workloads -- --stack NAME FOLDER` with your manifests lists the workloads that are affected",
      };
    },
  }),
];
