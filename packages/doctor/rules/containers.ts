import { hasHostProcess } from "capz-windows-platform/workloads/podSpec";
import { textAt } from "capz-windows-kit/untyped";
import { minutesBetween, title } from "../cluster/objects";
import { podWith } from "./podFinders";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";
import { withAnswer } from "./answers";

/** Containers and their Pods: users, programs, operating systems. */

const otherOs = /^PodOS(?:NotSupported|SelectorNodeLabelDoesNotMatch)$/;

/** Pods that their node refused for its operating system. They stay with the phase Failed, and are reported for four hours. */
const refused = (world: World): Match[] =>
  world
    .all("Pod", "workload")
    .filter(({ status }) => textAt(status, "phase") === "Failed" && otherOs.test(textAt(status, "reason")))
    .filter(
      ({ status, metadata }) =>
        minutesBetween(textAt(status, "startTime") || (metadata.creationTimestamp ?? ""), world.now) < 4 * 60,
    )
    .map((object) => {
      const reason = textAt(object.status, "reason");
      return {
        object,
        proof: {
          where: `${title(object)}, status.reason ${reason}`,
          text: textAt(object.status, "message") || reason,
        },
      };
    });

/** Pods with a container that is waiting, by the reason and message of its status. */
const waitsWith = (text: RegExp) =>
  podWith({
    side: "workload",
    text,
    // Of a container that did not start, the last message is that of containerd. That of a program is not searched.
    container: ({ waiting, message, ended, endMessage }) => {
      if (waiting === "") {
        return undefined;
      }
      const notStarted = /^(?:StartError|ContainerCannotRun)$/.test(ended) && endMessage !== "";
      return `${waiting}: ${notStarted ? endMessage : message}`;
    },
  });

const noProgram =
  /(?:CreateProcess|exec)(?:(?!CreateProcess|exec)[^])*(?:cannot find the (?:file|path) specified|executable file not found|no such file or directory)|failed to (?:get application name from commandline|find executable)/i;

export const containers: Detectors = {
  "run-as-user": waitsWith(
    /CreateProcess[^]*user name (?:or password is incorrect|could not be found)|no (?:users found|matching entries in passwd)|unable to find user/i,
  ),
  "program-of-host": (world) =>
    waitsWith(noProgram)(world).filter(({ object }) => hasHostProcess(object?.spec)),
  "program-missing": waitsWith(noProgram),
  "pod-other-os": withAnswer(refused),
};
