import type { Problem } from "capz-windows-kit/problem";
import { type Pool, poolsOf } from "../pools";
import type { Settings } from "../settings";

interface Refused extends Pick<Problem, "problem" | "allowed"> {
  readonly pattern: RegExp;
  /** Whether only commands before `kubeadm join` are meant. */
  readonly before?: boolean;
}

/** Commands that a user's commands and scripts must not run. */
const refused: readonly Refused[] = [
  {
    pattern: /\bRename-Computer\b|\bnetdom(\.exe)?\s+renamecomputer\b|\bhostnamectl\s+(set-)?hostname\b/i,
    problem:
      "this renames the machine: the cloud provider finds a node by its computer name in Azure, which CAPZ keeps within the 15 characters of NetBIOS",
    allowed: "the computer name that is derived from the pool's name",
  },
  {
    pattern: /\bkubeadm(\.exe)?["']?\s+upgrade\b/i,
    problem:
      "this upgrades a node in place: Cluster API treats machines as immutable, and a replacement would have the old version",
    allowed: "kubernetesVersion of the pool, whose rollout replaces the nodes",
  },
  {
    pattern: /\bkubeadm(\.exe)?["']?\s+(join|init|reset)\b/i,
    problem:
      "Cluster API runs kubeadm join itself, once, with a token that is valid for minutes: a second join, an init or a reset breaks the node",
    allowed: "commands that prepare or follow the join",
  },
  {
    pattern:
      /\bAdd-Computer\b|\bnetdom(\.exe)?\s+join\b|\bdjoin(\.exe)?\s+\/|\brealm\s+join\b|\bnet\s+ads\s+join\b/i,
    problem:
      "this joins the machine to a domain, which needs a password in the bootstrap data and a reboot, and may rename it or replace its DNS suffix",
    allowed: "machines outside of domains; pods use domain accounts by gMSA",
  },
  {
    pattern:
      /\bRestart-Computer\b|\bStop-Computer\b|\bshutdown(\.exe)?\s+[/-][rshg]\b|(^|[;&|]\s*)(sudo\s+)?(reboot|poweroff|halt)\b|\bsystemctl\s+(reboot|poweroff|halt)\b/im,
    before: true,
    problem:
      "this stops or restarts the machine before it has joined: cloud-init and cloudbase-init do not run the commands after it, so it never becomes a node",
    allowed: "a reboot in postKubeadmCommands, or an image that needs none (docs/images.md)",
  },
  {
    pattern:
      /\bnet1?(\.exe)?\s+user\s+("[^"]*"|[^\s/]+)\s+[^\s/*]|\bConvertTo-SecureString\b.*-AsPlainText\b/i,
    problem: "this sets a password in the bootstrap data, which stays readable on the node and in Azure",
    allowed:
      "no password: cloudbase-init sets a random one on each node, and SSH uses access.sshPublicKey; for RDP, set one over SSH (docs/operations.md)",
  },
];

/** Files that someone else writes. */
const ownedFiles: readonly {
  readonly path: RegExp;
  readonly content?: RegExp;
  readonly problem: string;
  readonly allowed: string;
}[] = [
  {
    path: /^c:\/k\/patches\/kubeletconfiguration/i,
    content: /\bregisterWithTaints\b/,
    problem:
      "kubeadm replaces the program's list with this one, and without the program's taint the cloud provider never initializes a new node",
    allowed: "patches of kubelet without registerWithTaints",
  },
  {
    path: /^((c:)?\/var\/lib\/kubelet\/(config\.yaml|kubeadm-flags\.env)|(c:)?\/etc\/kubernetes\/(kubelet|bootstrap-kubelet)\.conf)$/i,
    problem: "kubeadm writes this file when the node joins, and what you write is lost",
    allowed: "other files",
  },
];

const plainPath = (path: string): string => path.trim().replaceAll("\\", "/");

/** The scripts that commands before the join name. */
const runsBefore = (pool: Pool, path: string): boolean =>
  pool.preKubeadmCommands.some((command) =>
    command.toLowerCase().includes(plainPath(path).toLowerCase().split("/").at(-1) ?? path),
  );

const textsOf = (pool: Pool): { readonly at: string; readonly text: string; readonly before: boolean }[] => [
  ...pool.preKubeadmCommands.map((text, index) => ({
    at: `preKubeadmCommands[${index}]`,
    text,
    before: true,
  })),
  ...pool.postKubeadmCommands.map((text, index) => ({
    at: `postKubeadmCommands[${index}]`,
    text,
    before: false,
  })),
  ...pool.files.map(({ path, content = "" }, index) => ({
    at: `files[${index}].content`,
    text: content,
    before: runsBefore(pool, path),
  })),
];

/** Commands and files of pools that conflict with Cluster API's management of the nodes. */
export const commandRules = (settings: Settings): Problem[] =>
  poolsOf(settings).flatMap(({ path, pool }) => [
    ...textsOf(pool).flatMap(({ at, text, before }) =>
      refused
        .filter((one) => one.pattern.test(text) && (before || one.before !== true))
        // The text itself is omitted, because it may contain a password.
        .map(({ problem, allowed }) => ({
          path: `${path}.${at}`,
          problem,
          allowed,
        })),
    ),
    ...pool.files.flatMap((file, index) =>
      ownedFiles
        .filter(
          ({ path: own, content }) =>
            own.test(plainPath(file.path)) && (content?.test(file.content ?? "") ?? true),
        )
        .map(({ problem, allowed }) => ({
          path: `${path}.files[${index}].path`,
          value: file.path,
          uses: [`${path}.files[${index}]`],
          problem,
          allowed,
        })),
    ),
  ]);
