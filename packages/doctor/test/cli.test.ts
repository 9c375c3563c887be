import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { readArguments } from "capz-windows-doctor/cli/arguments";
import { watch } from "capz-windows-doctor/cli/watch";
import { diagnose } from "capz-windows-doctor/diagnose";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";
import { formatText } from "capz-windows-doctor/report/text";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { patient, recordedDir, recording } from "./patient";

const dir = temporaryFolder();
describe("recorded objects", () => {
  it("can be files of kubectl, JSON lists and YAML, with those of the workload cluster in a directory", () => {
    const { management, workload } = recording("role-missing");
    const folder = join(dir, "kubectl");
    mkdirSync(join(folder, "workload"), { recursive: true });
    writeFileSync(
      join(folder, "all.json"),
      JSON.stringify({ apiVersion: "v1", kind: "List", items: management.objects }),
    );
    writeFileSync(
      join(folder, "workload/nodes.json"),
      JSON.stringify({
        kind: "NodeList",
        apiVersion: "v1",
        items: workload.objects.filter(({ kind }) => kind === "Node"),
      }),
    );
    expect(diagnose(readRecorded(folder)).findings[0]?.id).toBe("role-missing");
  });

  it.each([
    ["no file", "/no/such/file", /^--from \/no\/such\/file: there is no such file or folder\.$/],
    ["no objects", "empty", /has no objects: put files of kubectl get \.\.\. -o json there/],
    ["no Cluster", "nodes", /has no Cluster: add --cluster NAME --namespace NAMESPACE/],
    ["no JSON", "broken", /broken.json is neither JSON nor YAML\.$/],
  ])("%s", (_, name, message) => {
    const folder = name.startsWith("/") ? name : join(dir, name);
    if (folder !== name) {
      mkdirSync(folder);
      const node = JSON.stringify({ kind: "Node", apiVersion: "v1", metadata: { name: "n" } });
      writeFileSync(
        join(folder, name === "empty" ? "x.txt" : `${name}.json`),
        name === "broken" ? "{" : node,
      );
    }
    expect(() => readRecorded(folder)).toThrow(message);
  });

  it("have a time", () => {
    const file = join(dir, "never.json");
    const part = { objects: [], problems: [] };
    const cluster = { name: "dev", namespace: "dev" };
    writeFileSync(file, JSON.stringify({ takenAt: "never", cluster, management: part, workload: part }));
    expect(() => readRecorded(file)).toThrow(`${file}: takenAt is no time, such as 2026-01-31T12:00:00Z.`);
  });

  it.each([
    ["cluster", { cluster: undefined }, "Invalid input: expected object, received undefined"],
    [
      "cluster.name",
      { cluster: { name: 5, namespace: "dev" } },
      "Invalid input: expected string, received number",
    ],
    ["management.objects.0", { management: { objects: [5], problems: [] } }, "expected object"],
    ["workload.objects", { workload: { objects: "no" } }, "Invalid input: expected array, received string"],
  ])("without a right %s are refused in one line", (path, wrong, message) => {
    const file = join(dir, "strange.json");
    writeFileSync(file, JSON.stringify({ ...patient().snapshot(), ...wrong }));
    expect(() => readRecorded(file)).toThrow(
      new Error(`${file} is not as --save writes it: ${path}: ${message}.`),
    );
  });

  it("are saved without secrets", () => {
    const secret = (kind: string, spec: unknown, data?: unknown): KubeObject =>
      ({
        apiVersion: "v1",
        kind,
        metadata: { name: "s", namespace: "s" },
        spec,
        data,
      }) as unknown as KubeObject;
    const folder = join(dir, "secrets");
    mkdirSync(folder);
    const items = [
      { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: { name: "s", namespace: "s" } },
      secret("Secret", undefined, { value: "aHVudGVyMg==" }),
      secret("ConfigMap", undefined, { value: "hunter2" }),
      secret("KubeadmConfig", {
        files: [{ content: "hunter2" }],
        joinConfiguration: { discovery: { bootstrapToken: { token: "abcdef.hunter2hunter2" } } },
      }),
      secret("KubeadmControlPlane", { kubeadmConfigSpec: { files: [{ content: "hunter2" }] } }),
      secret("Pod", { containers: [{ name: "c", image: "i", env: [{ name: "P", value: "hunter2" }] }] }),
      secret("Deployment", { template: { spec: { containers: [{ env: [{ value: "hunter2" }] }] } } }),
    ];
    writeFileSync(join(folder, "all.json"), JSON.stringify({ kind: "List", items }));
    const read = JSON.stringify(readRecorded(folder));
    expect(read).not.toMatch(/hunter2|aHVudGVyMg/);
    expect(read).toContain("abcdef.");
  });

  it("of the tests contain no secret", () => {
    const text = readFileSync(join(recordedDir, "healthy.json"), "utf8");
    expect(text).not.toMatch(/PRIVATE KEY|client-key-data|kubeadmConfigSpec|"data":/);
  });
});

describe("arguments", () => {
  it.each([
    [[], "Name a stack: the folder has no Pulumi.NAME.yaml."],
    [
      ["--kubeconfig", "f"],
      "--kubeconfig without a stack: add --cluster NAME; kubectl get cluster -A lists them.",
    ],
    [["--from", "f", "--namespace", "n"], "--namespace: add --cluster NAME."],
    [["--from", "f", "--watch"], "error: option '--from <PATH>' cannot be used with option '--watch'"],
    [
      ["--from", "f", "--kubeconfig", "k"],
      "error: option '--from <PATH>' cannot be used with option '--kubeconfig <FILE>'",
    ],
    [["--stuck", "dev"], "error: unknown option '--stuck' (Did you mean --stack?)"],
  ])("%j", (argv, message) => {
    expect(() => readArguments(argv, {}, __dirname)).toThrow(new UsageError(message));
  });

  it("name a stack, recorded objects, or a Cluster", () => {
    expect(readArguments(["dev"])).toMatchObject({ stack: "dev" });
    expect(readArguments(["--from", "f"], {}, __dirname).stack).toBeUndefined();
    expect(readArguments(["--kubeconfig", "f", "--cluster", "c"], {}, __dirname).stack).toBeUndefined();
    expect(readArguments(["dev", "--kubeconfig", "f", "--namespace", "n"]).stack).toBe("dev");
  });

  it("options that npm has consumed are explained", () => {
    expect(() => readArguments(["dev"], { npm_config_stack: "true" })).toThrow(
      "npm takes options for itself unless `--` stands before them: npm run doctor -- --stack dev",
    );
  });
});

describe("--watch", () => {
  it("prints steps when they change, causes when they appear and disappear, and ends when everything runs", async () => {
    const snapshots = ["bring-up-1", "quota-cores--control-plane", "bring-up-5", "healthy"].map(recording);
    const read = [...snapshots, snapshots.at(-1)!];
    const written: string[] = [];
    const last = await watch({
      read: () => Promise.resolve(read.shift()!),
      until: Number.POSITIVE_INFINITY,
      everyMs: 1,
      write: (text) => written.push(text),
      progress: { show: () => undefined, end: () => undefined },
      report: (diagnosis) => formatText({ ...diagnosis, steps: [] }, { color: false, width: 100 }),
      sleep: () => Promise.resolve(),
    });
    const text = written.join("");
    expect(last.complete).toBe(true);
    expect(text).toMatch(/… .*network of the cluster|✓ .*network of the cluster/);
    expect(text).toContain("x 1. The quota of standardDSv5Family cores");
    expect(text).toContain("The problems are gone.");
    expect(text).toMatch(/✓ .*pool win1: 1 of 1 nodes ready/);
  });

  it("ends after its time limit with the current findings", async () => {
    let time = 0;
    const last = await watch({
      read: () => Promise.resolve(recording("bring-up-1")),
      until: 100,
      everyMs: 50,
      write: () => undefined,
      progress: { show: () => undefined, end: () => undefined },
      report: () => "",
      sleep: (ms) => {
        time += ms;
        return Promise.resolve();
      },
      now: () => time,
    });
    expect([last.complete, time]).toEqual([false, 100]);
  });
});
