import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";

/** What a command or script of the user must not do to a machine. */
const refused: readonly (Pick<Problem, "problem" | "allowed" | "write"> & { readonly pattern: RegExp })[] = [
  {
    pattern: /\bRename-Computer\b|\bnetdom(\.exe)?\s+renamecomputer\b|\bhostnamectl\s+(set-)?hostname\b/i,
    problem:
      "it renames the machine: the cloud provider looks for a node by the name that Azure gave it, which CAPZ keeps within NetBIOS's 15 characters",
    allowed: "the name that the pool's name makes",
    write: "another name for the pool",
  },
  {
    pattern: /\bkubeadm(\.exe)?["']?\s+upgrade\b/i,
    problem:
      "it upgrades a node in place: Cluster API takes machines for immutable, and a replaced one would be old again",
    allowed: "replacement of nodes by the pool's rollout",
    write: "kubernetesVersion: the new version",
  },
  {
    pattern:
      /\bnet1?(\.exe)?\s+user\s+("[^"]*"|[^\s/]+)\s+[^\s/*]|\bConvertTo-SecureString\b.*-AsPlainText\b/i,
    problem:
      "it sets a password that stands in the bootstrap data, which stays readable on the node and in Azure",
    allowed: "no password: cloudbase-init makes a random one on each node, and ssh takes access.sshPublicKey",
    write: "take it out; for RDP set one by ssh, as the README says",
  },
];

/** Commands and files of the pools that would take a node out of Cluster API's hands. */
export const commandRules = (settings: Settings): Problem[] =>
  (["linuxPools", "windowsPools"] as const).flatMap((group) =>
    Object.entries(settings[group]).flatMap(([name, pool]) => {
      const path = `${group}.${name}`;
      const texts = [
        ...(["preKubeadmCommands", "postKubeadmCommands"] as const).flatMap((list) =>
          pool[list].map((text, index) => ({ at: `${list}[${index}]`, text })),
        ),
        ...pool.files.map((file, index) => ({
          at: `files[${index}] (${file.path}).content`,
          text: file.content,
        })),
      ];
      return texts.flatMap(({ at, text }) =>
        refused
          .filter(({ pattern }) => pattern.test(text))
          // Without the text itself: it may have a password in it.
          .map(({ problem, allowed, write }) => ({
            path: `${path}.${at}`,
            uses: [path],
            problem,
            allowed,
            write,
          })),
      );
    }),
  );
