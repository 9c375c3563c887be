import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse, stringify } from "yaml";
import type { KubernetesObject } from "capz-types";
import { manifestCacheVariable } from "capz-windows-kit/offline";
import { at, list, textAt, type Plain } from "capz-windows-kit/untyped";
import { testProject, type TestProject } from "../support/project";
import { projectDir } from "../support/projectDir";
import { startCharts, type ChartRepositories } from "./charts";
import { runsOf, type Run } from "./events";
import type { Values } from "pulumi-plan-engine";
import { startFakeAzure, type FakeAzure } from "./fakeAzure";
import { PulumiCli, type Ended } from "./pulumiCli";
import { engineRecording, inState } from "./recordings";

/** A command of the CLI and what the engine did in it. */
export interface Done extends Ended {
  readonly runs: readonly Run[];
}

/** Manifests by the names under which the program looks for them. */
function manifestCache(folder: string): void {
  const given = process.env[manifestCacheVariable];
  mkdirSync(folder);
  for (const name of given === undefined ? [] : readdirSync(given)) {
    const gmsa = /^windows-gmsa-(v.*)$/.exec(name)?.[1];
    if (gmsa === undefined) {
      symlinkSync(join(given!, name), join(folder, name));
    } else {
      symlinkSync(join(given!, name, "gmsa-crd.yml"), join(folder, `windows-gmsa-crd-${gmsa}.yaml`));
    }
  }
}

/** The files of this project. Those in docs/, to which examples refer, are no links, because the program follows none that lead out. */
function projectWithFiles(): TestProject {
  const project = testProject(["docs"]);
  cpSync(join(projectDir, "docs"), join(project.dir, "docs"), { recursive: true });
  return project;
}

/**
 * The real CLI with a project folder, a backend, chart repositories and a pretended Azure of its own, for stacks that refer to
 * each other. The state is written when a command ends, which saves a third of its CPU time and is not for tests that
 * interrupt one.
 */
export class Engine {
  private constructor(
    readonly azure: FakeAzure,
    private readonly project: TestProject,
    private readonly pulumi: string,
    private readonly home: string,
    private readonly charts: ChartRepositories,
    private readonly plugins: readonly string[],
  ) {}

  /**
   * @param project - default: the files of this project
   * @param plugins - further providers that run already, for PULUMI_DEBUG_PROVIDERS
   */
  static async begin(
    pulumi: string,
    project = projectWithFiles(),
    plugins: readonly string[] = [],
  ): Promise<Engine> {
    const home = mkdtempSync(join(tmpdir(), "capz-windows-pulumi-"));
    mkdirSync(join(home, "state"));
    manifestCache(join(home, "manifests"));
    return new Engine(await startFakeAzure(), project, pulumi, home, await startCharts(), plugins);
  }

  /** Directory of the project. */
  get dir(): string {
    return this.project.dir;
  }

  private cli(stack: string): PulumiCli {
    const { dir: cwd, home, azure, plugins } = this;
    const providers = [azure.providers, ...plugins].join(",");
    return new PulumiCli(this.pulumi, { cwd, home, stack, passphrase: "not a secret", providers });
  }

  /** What the program sees of this environment. */
  get programEnv(): Readonly<Record<string, string>> {
    return { ...this.charts.env, [manifestCacheVariable]: join(this.home, "manifests") };
  }

  /** Puts a kubelogin into the path that logs in with the certificate of a kubeconfig, because Entra is not here. */
  pretendLogin(kubeconfig: string): void {
    const user = at(list(at(parse(kubeconfig), "users"))[0], "user");
    const pem = (key: string): string => Buffer.from(textAt(user, key), "base64").toString("utf8");
    const credential = {
      ...{ apiVersion: "client.authentication.k8s.io/v1beta1", kind: "ExecCredential" },
      status: {
        clientCertificateData: pem("client-certificate-data"),
        clientKeyData: pem("client-key-data"),
      },
    };
    const folder = join(this.home, "bin");
    mkdirSync(folder);
    writeFileSync(join(folder, "credential.json"), JSON.stringify(credential));
    writeFileSync(join(folder, "kubelogin"), '#!/bin/sh\ncat "$(dirname "$0")/credential.json"\n', {
      mode: 0o755,
    });
  }

  private get env(): NodeJS.ProcessEnv {
    return {
      ...this.programEnv,
      PATH: [join(this.home, "bin"), process.env.PATH].join(delimiter),
      // The flag --event-log is hidden without it.
      PULUMI_DEBUG_COMMANDS: "true",
      PULUMI_EXPERIMENTAL: "true",
      PULUMI_SKIP_CHECKPOINTS: "true",
      PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    };
  }

  /** Path of a stack's file. */
  file(stack: string): string {
    return join(this.dir, `Pulumi.${stack}.yaml`);
  }

  /** Makes a stack. @param secret - value of managementKubeconfig. Default: the stack needs none. */
  async init(stack: string, secret?: string): Promise<void> {
    await this.cli(stack).must(["stack", "init"], { env: this.env });
    await this.encrypt(stack, secret === undefined ? {} : { managementKubeconfig: secret });
  }

  /** Encrypts values of the stack file. */
  async encrypt(stack: string, secrets: Readonly<Record<string, string>>): Promise<void> {
    for (const [key, input] of Object.entries(secrets)) {
      await this.cli(stack).must(["config", "set", "--secret", key], { env: this.env, input });
    }
  }

  /** Writes the config of a stack; what the CLI has encrypted in it stays. Keys have their prefix. */
  write(stack: string, config: Plain): void {
    const before = existsSync(this.file(stack))
      ? (parse(readFileSync(this.file(stack), "utf8")) as Plain)
      : {};
    const secrets = Object.entries((before.config ?? {}) as Plain).filter(
      ([, value]) => at(value, "secure") !== undefined,
    );
    const merged = { ...before, config: { ...config, ...Object.fromEntries(secrets) } };
    // Quoted, because Go reads a plain day as a time.
    writeFileSync(this.file(stack), stringify(merged, { defaultStringType: "QUOTE_DOUBLE" }));
  }

  async run(stack: string, args: readonly string[]): Promise<Done> {
    const events = join(this.home, `${stack}-events.jsonl`);
    rmSync(events, { force: true });
    const ended = await this.cli(stack).run([...args, "--suppress-progress"], { env: this.env, events });
    return { ...ended, runs: existsSync(events) ? runsOf(readFileSync(events, "utf8")) : [] };
  }

  /** @throws Error with the output when the command fails */
  async must(stack: string, args: readonly string[]): Promise<Done> {
    const done = await this.run(stack, args);
    if (done.code !== 0) {
      throw new Error(`pulumi ${args.join(" ")} --stack ${stack} ended with ${done.code}\n${done.output}`);
    }
    return done;
  }

  private resources(stack: string): Plain[] {
    const file = join(this.home, "state/.pulumi/stacks/capz-windows", `${stack}.json`);
    return list(at(JSON.parse(readFileSync(file, "utf8")), "checkpoint", "latest", "resources"));
  }

  /** URNs of what is in a stack's state, sorted. */
  state(stack: string): string[] {
    return this.resources(stack)
      .map(({ urn }) => String(urn))
      .sort();
  }

  /** The Kubernetes objects in a stack's state. */
  objects(stack: string): KubernetesObject[] {
    return this.resources(stack)
      .map(({ inputs }) => inputs as KubernetesObject)
      .filter((inputs) => at(inputs, "kind") !== undefined && at(inputs, "apiVersion") !== undefined)
      .filter(({ kind }) => !kind.endsWith("Patch"));
  }

  /** Makes a stack that has outputs and nothing else, for stacks that refer to it. */
  async pretend(stack: string, outputs: Values): Promise<void> {
    await this.init(stack);
    const urn = `urn:pulumi:${stack}::capz-windows::pulumi:pulumi:Stack::capz-windows-${stack}`;
    const resource = { urn, custom: false, type: "pulumi:pulumi:Stack", outputs: inState(outputs) };
    const manifest = { time: new Date(0).toISOString(), magic: "", version: "" };
    const { encryptionsalt: salt } = parse(readFileSync(this.file(stack), "utf8")) as Plain;
    const secrets = { secrets_providers: { type: "passphrase", state: { salt } } };
    const input = JSON.stringify({ version: 3, deployment: { manifest, ...secrets, resources: [resource] } });
    await this.cli(stack).must(["stack", "import"], { env: this.env, input });
  }

  /** What the program of a stack that has nothing yet registers, by URN. */
  async recording(stack: string): Promise<ReturnType<typeof engineRecording>> {
    const file = join(this.home, `${stack}-plan.json`);
    const { output } = await this.must(stack, ["preview", "--json", "--show-secrets", "--save-plan", file]);
    return engineRecording(output, readFileSync(file, "utf8"));
  }

  end(): void {
    this.cli("").endLeftovers();
    this.azure.stop();
    this.charts.stop();
    this.project.remove();
    rmSync(this.home, { recursive: true, force: true });
  }
}
