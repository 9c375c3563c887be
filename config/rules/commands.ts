import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";

/** Commands that a user's commands and scripts must not run. */
const refused: readonly (Pick<Problem, "problem" | "allowed"> & {
  readonly pattern: RegExp;
  readonly note: string;
})[] = [
  {
    pattern: /\bRename-Computer\b|\bnetdom(\.exe)?\s+renamecomputer\b|\bhostnamectl\s+(set-)?hostname\b/i,
    problem:
      "this renames the machine: the cloud provider finds a node by its computer name in Azure, which CAPZ keeps within the 15 characters of NetBIOS",
    allowed: "the computer name that is derived from the pool's name",
    note: "a pool's name gives its nodes theirs",
  },
  {
    pattern: /\bkubeadm(\.exe)?["']?\s+upgrade\b/i,
    problem:
      "this upgrades a node in place: Cluster API treats machines as immutable, and a replacement would have the old version",
    allowed: "replacing the nodes with the pool's rollout",
    note: "and set kubernetesVersion of the pool",
  },
  {
    pattern:
      /\bnet1?(\.exe)?\s+user\s+("[^"]*"|[^\s/]+)\s+[^\s/*]|\bConvertTo-SecureString\b.*-AsPlainText\b/i,
    problem: "this sets a password in the bootstrap data, which stays readable on the node and in Azure",
    allowed: "no password: cloudbase-init sets a random one on each node, and SSH uses access.sshPublicKey",
    note: "for RDP, set a password over SSH (docs/operations.md)",
  },
];

/** Commands and files of pools that conflict with Cluster API's management of the nodes. */
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
          // The text itself is omitted, because it may contain a password.
          .map(({ problem, allowed, note }) => ({
            path: `${path}.${at}`,
            uses: [path],
            problem,
            allowed,
            write: `remove ${at.replace(/ .*/, "")} # in ${path}: ${note}`,
          })),
      );
    }),
  );
