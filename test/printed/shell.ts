import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Printed } from "./collect";

/** What a shell makes of a printed text: the words of each program that it would start. */
export interface Expanded extends Printed {
  readonly runs: readonly (readonly string[])[];
  /** What the shell refuses. */
  readonly errors: string;
}

/** Values for names in braces. Others are left as they are, in capitals, as the reader sees them. */
const group = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/prod";

/** Values for names in capitals that a tool does not take as they are. */
const capitals: Readonly<Record<string, string>> = {
  MORE: "4",
  NAME: "name",
  PORT: "2201",
  PRIORITY: "1000",
  "PEERING-ID": `${group}/providers/Microsoft.Network/virtualNetworks/prod/virtualNetworkPeerings/hub`,
  "CONNECTION-ID": `${group}/providers/Microsoft.Network/privateLinkServices/prod-apiserver/privateEndpointConnections/prod`,
  "ENDPOINT-ID": `${group}/providers/Microsoft.Network/privateEndpoints/prod-apiserver`,
  "SERVICE-ID": `${group}/providers/Microsoft.Network/privateLinkServices/prod-apiserver`,
  "SET-ID": `${group}/providers/Microsoft.Compute/diskEncryptionSets/disks`,
  "SUBNET-ID": `${group}/providers/Microsoft.Network/virtualNetworks/prod/subnets/nodes`,
};

const values: Readonly<Record<string, string>> = {
  count: "3",
  effect: "NoSchedule",
  replicas: "3",
  limit: "100",
  newLimit: "200",
  node: "win1000001",
  instance: "1",
  vm: "prod-control-plane-x7k2p",
  namespace: "clusters",
  podNamespace: "shop",
  subscription: "11111111-2222-3333-4444-555555555555",
  principalId: "11111111-2222-3333-4444-555555555556",
  kind: "machinepool",
  cniState: "get tigerastatus",
  lacking: "addons=calico",
  thing: "deployment/csi-azuredisk-controller",
};

export const filled = (text: string): string =>
  text
    .replace(/(?<!\$)\{(\w+)\}/g, (_, name: string) => values[name] ?? name.toLowerCase())
    .replace(/(?<![\w-])[A-Z]+(?:-ID)?(?![\w-])/g, (name) => capitals[name] ?? name);

/** Reads every text with bash, which starts no program. Files that texts read exist, and are empty. */
export function expanded(texts: readonly Printed[]): Expanded[] {
  const folder = mkdtempSync(join(tmpdir(), "printed-"));
  try {
    const lines = texts.map(({ text }) => filled(text));
    for (const [, file = ""] of lines.flatMap((line) => [...line.matchAll(/<\s?([\w./-]+)/g)])) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), "");
    }
    const { stderr, output } = spawnSync("/bin/bash", [join(__dirname, "recorder.bash")], {
      cwd: folder,
      env: { HOME: folder },
      input: lines.map((line) => `${line}\0`).join(""),
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      timeout: 100_000,
    });
    const records = (output[3] ?? "").split(/@end\0\d+\0/);
    const errors = stderr.split(/^@text \d+\n/m).slice(1);
    return texts.map((text, index) => ({
      ...text,
      runs: (records[index] ?? "")
        .split("@run\0")
        .slice(1)
        .map((words) => words.split("\0").slice(0, -1)),
      errors: errors[index] ?? "was not read",
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
