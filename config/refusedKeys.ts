import type { Problem } from "../domain/problem";

/** Keys that users may expect but that cannot exist. The report gives the reason instead of suggesting a similar key. */
interface RefusedKey {
  /** Matches the whole path, with dots. */
  readonly path: RegExp;
  readonly answer: Pick<Problem, "problem" | "allowed" | "write">;
}

const refused: readonly RefusedKey[] = [
  {
    path: /passw(or)?d$/i,
    answer: {
      problem:
        "passwords are not supported: cloudbase-init sets a random one on each node, which nobody knows and nothing needs",
      allowed: "access.sshPublicKey, for logging in to Windows and Linux nodes",
      write: "remove the key; for RDP, set a password over SSH (see README)",
    },
  },
  {
    path: /^(management|controlPlane)\.(os_?type|windowsServer|windowsServerVersion)$/i,
    answer: {
      problem:
        "these machines run Linux: the Kubernetes control plane does not run on Windows, and Cluster API's controllers have no Windows images",
      allowed: "Windows nodes in windowsPools",
      write: "remove the key",
    },
  },
  {
    path: /^(linux|windows)Pools\.[^.]+\.(in_?place|upgrade)/i,
    answer: {
      problem: "nodes are not upgraded in place: Cluster API treats machines as immutable and replaces them",
      allowed:
        "kubernetesVersion or image for what changes, rollout for how many nodes are replaced at a time",
      write: "remove the key",
    },
  },
];

/** Why a key cannot exist; `undefined` for keys that are only unknown. */
export const refusedKey = (path: string): RefusedKey["answer"] | undefined =>
  refused.find((key) => key.path.test(path))?.answer;
