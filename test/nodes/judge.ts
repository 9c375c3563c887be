import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { minor } from "semver";
import type { NodeData } from "../../plan/model/nodes";
import type { Plan } from "../../plan/model/plan";

/** kubeadm, kubelet, the control plane and containerd's reader of one minor, in one program. `.ci/node-judge` builds it. */
export const nodeJudge = process.env.CAPZ_WINDOWS_NODE_JUDGE;

export const withoutJudge =
  "skipped: the node's own programs read no user data, which needs CAPZ_WINDOWS_NODE_JUDGE";

/** The minor of the programs. */
export const judgedMinor =
  nodeJudge === undefined
    ? 0
    : minor(execFileSync(nodeJudge, ["version"], { encoding: "utf8" }).split(" ")[0] ?? "");

/** The user data of those machines of a plan that run the minor of the programs. */
export function nodesOfMinor({ nodes, cluster }: Plan): NodeData[] {
  const versions = new Map(cluster.pools.map(({ name, version }) => [name, version]));
  const versionOf = ({ path }: NodeData): string =>
    versions.get(dirname(path)) ?? cluster.controlPlane?.version ?? "0.0.0";
  return nodes.filter((node) => minor(versionOf(node)) === judgedMinor);
}

export interface Verdict {
  /** "win1/user-data.txt: kubelet's flags: unknown flag: --colour" */
  readonly problems: readonly string[];
  /** What the programs could not read, and why. */
  readonly notChecked: readonly string[];
}

/**
 * The judge makes the certificates of a control plane. RSA keys, kubeadm's default, take it seven times as long as all that it
 * reads.
 */
const withFastKeys = (text: string): string =>
  text.includes("encryptionAlgorithm:")
    ? text
    : text.replace(/^( *)kind: ClusterConfiguration$/m, "$&\n$1encryptionAlgorithm: ECDSA-P256");

/**
 * What the programs say of user data.
 * @throws Error when they judged another number of files
 */
export function judged(nodes: readonly NodeData[]): Verdict {
  const folder = mkdtempSync(join(tmpdir(), "capz-windows-judge-"));
  try {
    const files = nodes.map(({ path, text }) => {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, withFastKeys(text));
      return file;
    });
    const { status, stdout } = spawnSync(nodeJudge ?? "", files, {
      ...{ encoding: "utf8", maxBuffer: 1 << 26 },
      // To collect garbage takes a process that ends at once a fifth of its time.
      env: { ...process.env, GOGC: "off" },
    });
    // Of a single file it prints no count.
    const [, count = status === 0 || status === 1 ? 1 : 0] = /^(\d+) files judged by /m.exec(stdout) ?? [];
    if (Number(count) !== files.length) {
      throw new Error(`${files.length} user data were given to node-judge: ${stdout}`);
    }
    const lines = stdout
      .split("\n")
      .filter((line) => line.startsWith(folder))
      .map((line) => line.slice(folder.length + 1));
    return {
      problems: lines.filter((line) => !line.includes(": not checked: ")),
      notChecked: lines.filter((line) => line.includes(": not checked: ")),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
