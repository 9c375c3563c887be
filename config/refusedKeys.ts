import type { Problem } from "../domain/problem";
import type { Path, Step } from "./advice/steps";
import { pathText } from "./advice/steps";

/** Keys that users may expect but that cannot exist. The report gives the reason instead of suggesting a similar key. */
interface RefusedKey {
  /** Matches the whole path, with dots. */
  readonly path: RegExp;
  readonly answer: Answer;
}

export interface Answer extends Pick<Problem, "problem" | "allowed"> {
  /** What to do instead. By default the key is removed. */
  readonly steps?: readonly (readonly Step[])[];
  /** What else to do. */
  readonly note?: string;
}

const refused: readonly RefusedKey[] = [
  {
    path: /passw(or)?d$/i,
    answer: {
      problem:
        "passwords are not supported: cloudbase-init sets a random one on each node, which nobody knows and nothing needs",
      allowed: "access.sshPublicKey, for logging in to Windows and Linux nodes",
      note: "for RDP, set a password over SSH (see README)",
    },
  },
  {
    path: /^(management|controlPlane)\.(os_?type|windowsServer|windowsServerVersion)$/i,
    answer: {
      problem:
        "these machines run Linux: the Kubernetes control plane does not run on Windows, and Cluster API's controllers have no Windows images",
      allowed: "Windows nodes in windowsPools",
    },
  },
  {
    path: /^(linux|windows)Pools\.[^.]+\.(in_?place|upgrade)/i,
    answer: {
      problem: "nodes are not upgraded in place: Cluster API treats machines as immutable and replaces them",
      allowed:
        "kubernetesVersion or image for what changes, rollout for how many nodes are replaced at a time",
    },
  },
];

/** Why a key cannot exist; `undefined` for keys that are only unknown. */
export const refusedKey = (path: Path): Answer | undefined =>
  refused.find((key) => key.path.test(pathText(path)))?.answer;
