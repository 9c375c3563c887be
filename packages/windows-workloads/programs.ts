import { hasHostProcess, securityOf } from "capz-windows-platform/workloads/podSpec";
import { at, list, strings, text, textAt } from "capz-windows-kit/untyped";
import type { PodMaker } from "./types";

/** What containers start, and as whom. Sources: Kubernetes v1.36.3; Microsoft's pages of its base images. */

export type Says = string | false | undefined;

export const probes = ["livenessProbe", "readinessProbe", "startupProbe"];

/**
 * The user of a container that may not be the administrator, "" if it names none; `undefined` if it may. kubelet on Windows does not
 * read runAsUser for this: 0 is no administrator there, and 1000 is no other user (pkg/kubelet/kuberuntime/security_context_windows.go,
 * verifyRunAsNonRoot).
 */
export function userOf(container: unknown, { podSpec }: PodMaker): string | undefined {
  return securityOf(podSpec, container, "runAsNonRoot") === true
    ? text(securityOf(podSpec, container, "windowsOptions", "runAsUserName")).toLowerCase()
    : undefined;
}

/** Whether a container has only the command of a base image, without anybody at its console (Microsoft, Windows base images). */
export const endsAtOnce = (container: unknown, { kind, podSpec }: PodMaker): boolean =>
  /^mcr\.microsoft\.com\/windows(?:\/(?:nanoserver|servercore|server))?(?:[:@]|$)/.test(
    textAt(container, "image"),
  ) &&
  !["command", "args", "stdin", "tty"].some((key) => at(container, key)) &&
  kind !== "Job" &&
  kind !== "CronJob" &&
  ["", "Always"].includes(textAt(podSpec, "restartPolicy"));

/** Programs that Windows images do not have; one of another name may be in such a folder. */
export const unixPrograms =
  /^(?:\/(?:usr\/)?s?bin\/)?(?:sh|bash|ash|cat|test|ls|true|stat|pgrep|wget|nc)$|^\/(?:usr\/)?s?bin\/(?:sleep|env|echo|tail|touch)$/;
export const powerShell = /^(?:powershell|pwsh)(?:\.exe)?$/i;

const isNanoServer = /^mcr\.microsoft\.com\/windows\/nanoserver[:@]/;

/** The program that a container starts by a field. Kubernetes' own test images have BusyBox, on Windows, too. */
export function programOf(container: unknown, where: string): string {
  const [program = ""] = strings(
    where === "command" ? at(container, where) : at(container, ...where.split("."), "exec", "command"),
  );
  return textAt(container, "image").includes("/e2e-test-images/") ? "" : program;
}

export const starts = ["command", ...probes, "lifecycle.postStart"];

/** Programs that an image does not have; Nano Server has no PowerShell (Microsoft, Windows base images). */
export const missingPrograms = (container: unknown, { podSpec }: PodMaker): Says[] =>
  starts.map((where) => {
    const program = programOf(container, where);
    if (unixPrograms.test(program)) {
      return `${where} starts ${program}, which Windows images do not have`;
    }
    const hasNone = isNanoServer.test(textAt(container, "image")) && !hasHostProcess(podSpec);
    return (
      hasNone && powerShell.test(program) && `${where} starts ${program}, which Nano Server does not have`
    );
  });

/** Accounts that each Windows image has, and those for HostProcess (Kubernetes, "Configure RunAsUserName", "Create a Windows HostProcess Pod"). */
export const accounts = {
  image:
    /^(?:(?:user manager\\)?container(?:administrator|user)|nt authority\\(?:system|local ?service|network ?service))?$/i,
  node: /^(?:nt authority\\(?:system|local ?service|network ?service))?$/i,
} as const;

export function accountUnknown(container: unknown, { podSpec }: PodMaker): Says {
  const name = text(securityOf(podSpec, container, "windowsOptions", "runAsUserName"));
  if (hasHostProcess(podSpec)) {
    return !accounts.node.test(name) && `whether nodes have the local group ${name}`;
  }
  return !accounts.image.test(name) && `whether its image has the user ${name}`;
}

/** A probe of a port that its container does not name fails (pkg/kubelet/prober, probe). */
export const unnamedPorts = (container: unknown): Says[] => {
  const names = list(at(container, "ports")).map(({ name }) => name);
  return probes.flatMap((probe) =>
    ["httpGet", "tcpSocket"].map((handler) => {
      const port = textAt(container, probe, handler, "port");
      return (
        /[a-z]/.test(port) &&
        !names.includes(port) &&
        `${probe} asks the port ${port}, which its ports do not name`
      );
    }),
  );
};
