import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { testProject } from "../support/project";
import { exampleFile, projectDir } from "../support/stacks";
import { FakeControllers } from "./controllers";
import { startFakeAzure, type FakeAzure } from "./fakeAzure";
import { PulumiCli, type Ended } from "./pulumiCli";
import { startProxy, type TcpProxy } from "./tcpProxy";

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: object }[];
}

/** Collections of the cluster's namespace. Objects that the API server creates itself are left out by name. */
const collections = [
  ["/api/v1", "configmaps", "secrets"],
  ["/apis/cluster.x-k8s.io/v1beta2", "clusters", "machinepools", "machinehealthchecks"],
  ["/apis/controlplane.cluster.x-k8s.io/v1beta2", "kubeadmcontrolplanes"],
  ["/apis/bootstrap.cluster.x-k8s.io/v1beta2", "kubeadmconfigs"],
  ["/apis/addons.cluster.x-k8s.io/v1beta2", "clusterresourcesets"],
  [
    "/apis/infrastructure.cluster.x-k8s.io/v1beta1",
    ...["azureclusters", "azuremachinepools", "azuremachinetemplates", "azureclusteridentities"],
  ],
] as const;

class Controllers extends FakeControllers {
  async objectsOf(namespace: string): Promise<string[]> {
    const answers = await Promise.all(
      collections.flatMap(([root, ...names]) =>
        names.map(async (name) => {
          const { body } = await this.call("GET", `${root}/namespaces/${namespace}/${name}`);
          return list(at(body, "items")).map((item) => `${name}/${textAt(item, "metadata", "name")}`);
        }),
      ),
    );
    return answers.flat().filter((name) => name !== "configmaps/kube-root-ca.crt");
  }

  async objectAt(namespace: string, path: string): Promise<unknown> {
    const { status, body } = await this.call("GET", `/api/v1/namespaces/${namespace}/${path}`);
    return status === 200 ? body : undefined;
  }

  async hasNamespace(name: string): Promise<boolean> {
    return (await this.call("GET", `/api/v1/namespaces/${name}`)).status === 200;
  }
}

/** The example `existing` for the real CLI, on a real API server behind a proxy that can be cut, and a fake Azure. */
export class TestDeployment {
  private constructor(
    readonly cli: PulumiCli,
    readonly azure: FakeAzure,
    readonly wire: TcpProxy,
    private readonly controllers: Controllers,
    readonly name: string,
    readonly stackFile: { readonly read: () => string; readonly write: (text: string) => void },
    private readonly kubeconfig: Kubeconfig,
    private readonly home: string,
    private readonly remove: () => void,
  ) {}

  /** @param more - config beside that of the example, by key without its namespace */
  static async begin(
    pulumi: string,
    kubeconfigFile: string,
    name: string,
    more: Readonly<Record<string, unknown>> = {},
    passphrase = "not a secret",
  ): Promise<TestDeployment> {
    const home = mkdtempSync(join(tmpdir(), "capz-windows-pulumi-"));
    mkdirSync(join(home, "state"));
    const kubeconfig = parse(readFileSync(kubeconfigFile, "utf8")) as Kubeconfig;
    const wire = await startProxy(Number(new URL(kubeconfig.clusters[0]!.cluster.server!).port));
    const azure = await startFakeAzure();
    const project = testProject();
    const example = parse(readFileSync(join(projectDir, exampleFile("existing")), "utf8")) as {
      config: Record<string, unknown>;
    };
    const added = Object.fromEntries(
      Object.entries(more).map(([key, value]) => [`capz-windows:${key}`, value]),
    );
    const own = { ...added, "capz-windows:clusterName": name, "capz-windows:protect": false };
    const config = { ...example.config, ...own, "capz-windows:managementKubeconfig": undefined };
    const file = `Pulumi.${name}.yaml`;
    project.write(file, stringify({ config }));
    const stackFile = {
      read: () => readFileSync(join(project.dir, file), "utf8"),
      write: (text: string) => {
        project.write(file, text);
      },
    };
    const place = {
      cwd: project.dir,
      home,
      stack: name,
      passphrase,
      providers: azure.providers,
    };
    const controllers = new Controllers(kubeconfigFile, name);
    azure.machines = () => controllers.subnetsInUse();
    const cli = new PulumiCli(pulumi, place);
    const deployment = new TestDeployment(
      cli,
      azure,
      wire,
      controllers,
      name,
      stackFile,
      kubeconfig,
      home,
      () => {
        project.remove();
        rmSync(home, { recursive: true, force: true });
      },
    );
    await cli.must(["stack", "init"]);
    await deployment.logIn();
    return deployment;
  }

  /** @param user - credentials other than those that the API server knows */
  async logIn(user = this.kubeconfig.users[0]!.user): Promise<void> {
    const { clusters, users } = this.kubeconfig;
    const input = stringify({
      ...this.kubeconfig,
      clusters: [
        {
          ...clusters[0],
          cluster: { ...clusters[0]!.cluster, server: `https://127.0.0.1:${this.wire.port}` },
        },
      ],
      users: [{ ...users[0], user }],
    });
    await this.cli.must(["config", "set", "--secret", "managementKubeconfig"], { input });
  }

  up(env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.cli.run(["up", "--yes", "--skip-preview"], { env });
  }

  /** An object in the cluster's namespace; undefined where there is none. */
  objectAt(path: string): Promise<unknown> {
    return this.controllers.objectAt(this.name, path);
  }

  get stateFolder(): string {
    return join(this.home, "state");
  }

  /** Path of the stack's state file. A run that is killed while writing leaves it incomplete. */
  get stateFile(): string {
    return join(this.stateFolder, ".pulumi/stacks/capz-windows", `${this.name}.json`);
  }

  /** Resources in Azure and objects in the cluster's namespace, sorted. */
  async things(): Promise<string[]> {
    return [...this.azure.store.ids(), ...(await this.controllers.objectsOf(this.name))].sort();
  }

  /** What a destroyed stack has left behind: resources, objects and its namespace. */
  async leftovers(): Promise<string[]> {
    const namespace = (await this.controllers.hasNamespace(this.name)) ? [`namespace ${this.name}`] : [];
    return [...(await this.things()), ...namespace];
  }

  async end(): Promise<void> {
    this.cli.endLeftovers();
    await this.controllers.stop();
    this.azure.stop();
    this.wire.stop();
    this.remove();
  }
}
