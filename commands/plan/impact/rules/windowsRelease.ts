import { windowsBuilds } from "../../../../platform/machines/windowsReleases";
import { startsOn, windowsVersion } from "../../../../platform/workloads/windowsVersions";
import { touches, type ImpactRule } from "../impactRule";
import { poolLabel } from "../machines";
import { poolRule } from "../poolRule";

const versionOf = (windowsServer = "") => windowsVersion(windowsBuilds[windowsServer] ?? "");

/** What another release of Windows Server means to the containers on a pool. */
export const windowsReleaseRules: readonly ImpactRule[] = [
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
