import type { Problem } from "../problem";
import type { KubeadmConfigSpec } from "../capi/types";

/** What is left of a command without `%%` and `%NAME%`: a percent sign in it is lost, or takes text with it. */
const withoutVariables = (command: string): string => command.replace(/%%|%[A-Za-z_][\w()]*%/g, "");

function commandProblems(path: string, command: string): Problem[] {
  const problems: Problem[] = [];
  if (withoutVariables(command).includes("%")) {
    problems.push({
      path,
      problem: "a single % is not printed: the commands of a Windows node are lines of one batch file",
      allowed: "%% for the sign, %NAME% for a variable",
      write: "%% instead of %",
    });
  }
  if (/^\s*"?[^\s"]+\.(cmd|bat)\b/i.test(command)) {
    problems.push({
      path,
      problem:
        "a batch file that is not called ends the batch: no command after it runs, kubeadm join neither",
      allowed: "call FILE",
      write: `call ${command.trim()}`,
    });
  }
  if (/^\s*exit\b/i.test(command)) {
    problems.push({
      path,
      problem: "exit ends the batch: no command after it runs, kubeadm join neither",
      allowed: "commands that end by themselves",
      write: "the check in a script, and the command that runs it",
    });
  }
  return problems;
}

/**
 * Commands that would not do on a Windows node what they say. cloudbase-init puts all of them into one batch file
 * for cmd.exe, together with kubeadm join (cloudbase-init 1.1.4, cloudconfigplugins/runcmd.py).
 */
export function batchProblems({ preKubeadmCommands, postKubeadmCommands }: KubeadmConfigSpec): Problem[] {
  return Object.entries({ preKubeadmCommands, postKubeadmCommands }).flatMap(([name, commands]) =>
    (commands ?? []).flatMap((command, index) => commandProblems(`${name}[${index}]`, command)),
  );
}
