import type { Problem } from "../domain/problem";

/** Keys that people look for, and that cannot be: for the reason, not for a slip of the finger. */
interface RefusedKey {
  /** Of the whole path, with dots. */
  readonly path: RegExp;
  readonly answer: Pick<Problem, "problem" | "allowed" | "write">;
}

const refused: readonly RefusedKey[] = [
  {
    path: /passw(or)?d$/i,
    answer: {
      problem:
        "there is no password to give: cloudbase-init makes a random one on each node, nobody knows it and nothing needs it",
      allowed: "access.sshPublicKey, whose owner logs in to Windows and Linux nodes",
      write: "take it out; for RDP set one by ssh, as the README says",
    },
  },
  {
    path: /^(management|controlPlane)\.(os_?type|windowsServer|windowsServerVersion)$/i,
    answer: {
      problem:
        "these machines run Linux: Kubernetes has no control plane for Windows, and Cluster API's controllers have no images for it",
      allowed: "Windows nodes in windowsPools",
      write: "take it out",
    },
  },
  {
    path: /^(linux|windows)Pools\.[^.]+\.(in_?place|upgrade)/i,
    answer: {
      problem:
        "nodes are never upgraded in place: Cluster API takes machines for immutable and replaces them",
      allowed: "kubernetesVersion or image for what is new, and rollout for how many nodes go at once",
      write: "take it out",
    },
  },
];

/** Why an unknown key cannot be, where that is known. */
export const refusedKey = (path: string): RefusedKey["answer"] | undefined =>
  refused.find((key) => key.path.test(path))?.answer;
