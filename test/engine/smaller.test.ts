import { apiVersions } from "../../capi/apiVersions";
import type { KubernetesObject } from "capz-types";
import {
  deleteAnnotation,
  pausedAnnotation,
  reconciledAnnotation,
  scaleDownAnnotation,
} from "capz-windows-platform/machines/scaleDown";
import { at, list, numberAt, textAt } from "capz-windows-kit/untyped";
import { ApiServer } from "../apiserver/client";
import { TestDeployment } from "./deployment";
import { missing } from "./pulumiCli";

/** The real CLI calls what lowers the number of a scale set, also after it was killed in the middle. */

const { pulumi, kubeconfig, reason } = missing();

const pool = "win1";

/** Machines of a scale set, and what CAPZ does for a pause and for marks. It deletes nothing. */
class FakeScaleSet extends ApiServer {
  /** Whether CAPZ confirms a pause. */
  confirms = true;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    file: string,
    private readonly namespace: string,
  ) {
    super(file);
  }

  async begin(nodes: number): Promise<void> {
    await this.annotate("AzureMachinePool", pool, { [reconciledAnnotation]: "" });
    // It has the model already.
    const image = at(await this.read("AzureMachinePool", pool), "spec", "template", "image");
    await this.applyStatus({
      ...this.object("AzureMachinePool", pool),
      status: { image },
    });
    for (let index = 0; index < nodes; index += 1) {
      const name = `${pool}-${index}`;
      const labels = { "cluster.x-k8s.io/pool-name": pool, "cluster.x-k8s.io/cluster-name": this.namespace };
      const machine = await this.must({
        ...this.object("Machine", name, { labels }),
        ...{
          spec: {
            clusterName: this.namespace,
            bootstrap: { dataSecretName: "none" },
            infrastructureRef: {
              apiGroup: "infrastructure.cluster.x-k8s.io",
              kind: "AzureMachinePoolMachine",
              name,
            },
          },
        },
      });
      const owner = {
        apiVersion: apiVersions.cluster,
        kind: "Machine",
        name,
        uid: textAt(machine, "metadata", "uid"),
      };
      await this.must({
        ...this.object("AzureMachinePoolMachine", name, { labels, ownerReferences: [owner] }),
        ...{ spec: { providerID: `azure:///${name}` } },
      });
    }
    const turn = async (): Promise<void> => {
      await this.reconcile().catch(() => undefined);
      this.timer = setTimeout(() => void turn(), 200);
    };
    await turn();
  }

  end(): void {
    clearTimeout(this.timer);
    this.close();
  }

  async azurePool(): Promise<Readonly<Record<string, string>>> {
    return (at(await this.read("AzureMachinePool", pool), "metadata", "annotations") ?? {}) as Record<
      string,
      string
    >;
  }

  async replicas(): Promise<number | undefined> {
    return numberAt(await this.read("MachinePool", pool), "spec", "replicas");
  }

  async managers(): Promise<string[]> {
    const found = list(at(await this.read("MachinePool", pool), "metadata", "managedFields"));
    return [...new Set(found.map((entry) => textAt(entry, "manager")))];
  }

  /** Names of the Machines that are marked. */
  async marked(): Promise<string[]> {
    const machines = await this.all("Machine");
    return machines
      .filter((each) => at(each, "metadata", "annotations", deleteAnnotation) !== undefined)
      .map((each) => textAt(each, "metadata", "name"))
      .sort();
  }

  private async reconcile(): Promise<void> {
    const { [pausedAnnotation]: paused } = await this.azurePool();
    await this.annotate("AzureMachinePool", pool, {
      [reconciledAnnotation]: paused !== undefined && this.confirms ? null : "",
    });
    for (const name of await this.marked()) {
      await this.annotate("AzureMachinePoolMachine", name, { [deleteAnnotation]: "true" });
    }
  }

  private object(kind: string, name: string, metadata: object = {}): KubernetesObject {
    const apiVersion = kind.startsWith("Azure") ? apiVersions.azure : apiVersions.cluster;
    return { apiVersion, kind, metadata: { ...metadata, name, namespace: this.namespace } };
  }

  private async must(object: KubernetesObject): Promise<unknown> {
    const { status, body } = await this.apply(object, { dryRun: false });
    if (status >= 300) {
      throw new Error(`${object.metadata.name}: ${body.message ?? status}`);
    }
    return body;
  }

  private async read(kind: string, name: string): Promise<unknown> {
    const path = await this.path(this.object(kind, name));
    return (await this.call("GET", path ?? "")).body;
  }

  private async all(kind: string): Promise<unknown[]> {
    const path = (await this.path(this.object(kind, ""))) ?? "";
    return list(at((await this.call("GET", path.replace(/\/$/, ""))).body, "items"));
  }

  private async annotate(kind: string, name: string, annotations: object): Promise<void> {
    const path = await this.path(this.object(kind, name));
    await this.call("PATCH", path ?? "", { metadata: { annotations } }, "application/merge-patch+json");
  }
}

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  let deployment: TestDeployment;
  let scaleSet: FakeScaleSet;
  const wants = (replicas: number) =>
    deployment.cli.must([
      ...["config", "set", "--path", `capz-windows:windowsPools.${pool}.replicas`],
      String(replicas),
    ]);

  beforeAll(async () => {
    deployment = await TestDeployment.begin(pulumi, kubeconfig, `less${process.pid}`);
    scaleSet = new FakeScaleSet(kubeconfig, deployment.name);
    await wants(6);
    await deployment.cli.must(["up", "--yes", "--skip-preview"]);
    await scaleSet.begin(6);
  });
  afterAll(async () => {
    scaleSet.end();
    await deployment.cli.must(["destroy", "--yes", "--skip-preview"]);
    await deployment.end();
  });

  it("a preview says in one line what will happen, and changes nothing", async () => {
    await wants(4);
    const output = await deployment.cli.must(["preview"]);
    expect(output).toContain(
      "win1: from 6 to 4 nodes: 2 drained and deleted, marked ones first, and no others",
    );
    expect({ marked: await scaleSet.marked(), replicas: await scaleSet.replicas() }).toEqual({
      marked: [],
      replicas: 6,
    });
  });

  it("killed while CAPZ has not confirmed the pause, the next `up` goes on and resumes the pool", async () => {
    scaleSet.confirms = false;
    const running = deployment.cli.start(["up", "--yes", "--skip-preview"]);
    while ((await scaleSet.azurePool())[scaleDownAnnotation] === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    running.kill("SIGKILL");
    await running.ended;
    expect(await scaleSet.replicas()).toBe(6);
    scaleSet.confirms = true;
    await deployment.cli.must(["cancel", "--yes"]);
    const output = await deployment.cli.must(["up", "--yes", "--skip-preview"]);
    // The program of the killed run may live on, and finish first.
    expect(output).not.toContain("error:");
    expect(await scaleSet.marked()).toEqual(["win1-0", "win1-1"]);
    expect(Object.keys(await scaleSet.azurePool())).not.toContain(pausedAnnotation);
    expect(await scaleSet.replicas()).toBe(4);
    expect(await scaleSet.managers()).not.toContain("capz-windows");
    // Nothing is left to do, and the number may grow again.
    expect(await deployment.cli.must(["preview", "--expect-no-changes"])).not.toMatch(/to update/);
    await wants(5);
    await deployment.cli.must(["up", "--yes", "--skip-preview"]);
    expect(await scaleSet.replicas()).toBe(5);
  });

  it("killed, and with the former number back, the next `up` resumes the pool and marks nothing", async () => {
    const before = await scaleSet.marked();
    scaleSet.confirms = false;
    await wants(1);
    const running = deployment.cli.start(["up", "--yes", "--skip-preview"]);
    while ((await scaleSet.azurePool())[scaleDownAnnotation] === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    running.kill("SIGKILL");
    await running.ended;
    scaleSet.confirms = true;
    await deployment.cli.must(["cancel", "--yes"]);
    await wants(5);
    await deployment.cli.must(["up", "--yes", "--skip-preview"]);
    expect(Object.keys(await scaleSet.azurePool())).not.toContain(pausedAnnotation);
    expect(await scaleSet.replicas()).toBe(5);
    expect((await scaleSet.marked()).length).toBeLessThanOrEqual(before.length);
  });
}
