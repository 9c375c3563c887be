import { containersOf, type KubeObject } from "../../cluster/objects";
import { warned } from "./finders";
import { describePod } from "./commands";
import type { Rule } from "./rule";

/** Probes that fail although the program works, because of their command or their time limit. */

/** Pods whose probe failed at least five times, because a few failures are normal while a program starts. */
export const probeFails = (text: RegExp, where?: (pod: KubeObject) => boolean) =>
  warned({ kinds: ["Pod"], side: "workload", text, times: 5, ...(where === undefined ? {} : { where }) });

const restarts = (pod: KubeObject): boolean => containersOf(pod).some((container) => container.restarts >= 3);

export const probeRules: readonly Rule[] = [
  {
    id: "probe-command",
    stage: "pods",
    symptom: "probe failed: The system cannot find the file specified (0x2)",
    cause:
      "The command of a probe of {name} is not a program in its image. Windows takes the first word as the program; `dir` and the like are commands of cmd.",
    remedy: [
      'exec: {command: ["cmd", "/c", "dir C:\\\\ready"]}   # each argument is an item of its own; powershell -Command in images that have it',
      "httpGet: {path: /healthz, port: 8080}   # costs a Windows node less than a process each time",
    ],
    source: "Azure/AKS #1836",
    find: probeFails(
      /probe [\w ]+: [^]*(?:system cannot find the (?:file|path) specified|executable file not found|no such file or directory)/i,
    ),
  },
  {
    id: "probe-timeout",
    stage: "pods",
    symptom: "probe failed: command timed out",
    cause:
      "The command of a probe of {name} takes longer than the probe waits (timeoutSeconds, 1 unless it is set): {why}. On Windows the start of PowerShell alone takes seconds, more on a busy node.",
    remedy: [
      "readinessProbe: {timeoutSeconds: 10, periodSeconds: 30}   # of the probe that fails",
      "httpGet: {path: /healthz, port: 8080}   # or tcpSocket: kubelet asks by itself and starts no process",
      'exec: {command: ["cmd", "/c", "C:\\\\probe.cmd"]}   # cmd or a small program instead of powershell',
    ],
    source:
      "kubelet, ErrCommandTimedOut; https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
    find: probeFails(
      /probe (?:failed|errored)[^:]*: (?<why>(?:command timed out: "|command ")[^]* timed out\b[^]*)/i,
    ),
  },
  {
    id: "probe-slow",
    stage: "pods",
    symptom: "CrashLoopBackOff, and before it: Liveness probe failed: context deadline exceeded",
    cause:
      "A liveness probe ends the container of {name} before its program answers. Programs start more slowly on Windows than on Linux, and answers take longer.",
    remedy: [
      "startupProbe: {httpGet: {path: {path}, port: {port}}, periodSeconds: 10, failureThreshold: 30}   # the liveness probe waits for it",
      "livenessProbe: {timeoutSeconds: 10, failureThreshold: 5}",
      describePod,
    ],
    source:
      "csi-driver-smb #1059; https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/",
    find: probeFails(
      /(?:Liveness|Startup) probe (?:failed|errored)(?:[^]*Get "https?:\/\/[^/"]+?(?::(?<port>\d+))?(?<path>\/[^"?]*))?[^]*(?:context deadline exceeded|Client\.Timeout|timed? ?out|connection refused|actively refused)/i,
      restarts,
    ),
  },
];
