import { type Problem } from "capz-windows-kit/problem";
import type { KubeadmConfigSpec } from "capz-types";

/** A command without `%%` and `%NAME%`. cmd.exe drops any percent sign that is left, and possibly text after it. */
const withoutVariables = (command: string): string => command.replace(/%%|%[A-Za-z_][\w()]*%/g, "");

/** A verb of PowerShell and a noun, a variable, or a script block: cmd.exe looks for a program of that name. */
const powershell =
  /^\s*(?:(?:add|clear|copy|disable|enable|expand|format|get|import|initialize|install|invoke|move|new|out|register|remove|rename|resize|restart|set|start|stop|test|update|wait|write)-[a-z]+(?=\s|$)|\$|&\s*[{'"$])/i;

function commandProblems(path: string, command: string): Problem[] {
  const problems: Problem[] = [];
  if (withoutVariables(command).includes("%")) {
    problems.push({
      path,
      problem: "cmd.exe drops a single %: the commands of a Windows node are lines of one batch file",
      allowed: "%% for a percent sign, %NAME% for a variable",
    });
  }
  if (/^\s*"?[^\s"]+\.(cmd|bat)\b/i.test(command)) {
    problems.push({
      path,
      problem:
        "a batch file that runs without call ends the batch: no later command runs, not even kubeadm join",
      allowed: "call FILE",
    });
  }
  if (powershell.test(command)) {
    problems.push({
      path,
      problem:
        "cmd.exe runs it, which does not know the words of PowerShell, and the batch goes on without it",
      allowed: 'powershell -Command "...", or a script in files',
    });
  }
  if (/^\s*exit\b/i.test(command)) {
    problems.push({
      path,
      problem: "exit ends the batch: no later command runs, not even kubeadm join",
      allowed: "commands that return; a check in a script in files, which a command runs",
    });
  }
  return problems;
}

/**
 * Reports commands that a Windows node would not run as written. cloudbase-init writes all commands, including kubeadm
 * join, to one batch file for cmd.exe (cloudbase-init 1.1.4, cloudconfigplugins/runcmd.py).
 */
export function batchProblems({ preKubeadmCommands, postKubeadmCommands }: KubeadmConfigSpec): Problem[] {
  return Object.entries({ preKubeadmCommands, postKubeadmCommands }).flatMap(([name, commands]) =>
    (commands ?? []).flatMap((command, index) => commandProblems(`${name}[${index}]`, command)),
  );
}
