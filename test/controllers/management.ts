import { readdirSync } from "node:fs";
import { join } from "node:path";
import { assertDefined } from "capz-windows-kit/assertDefined";
import type { KubernetesObject } from "capz-types";
import { Kube } from "../life/kube";
import { Rigs, type Tools } from "../life/support/rig";

/** The managers of Cluster API and CAPZ. Those that do not reconcile only admit, default and convert objects. */
export type Manager = "capi-core" | "capi-kubeadm-bootstrap" | "capi-kubeadm-control-plane" | "capz";

const all: readonly Manager[] = ["capi-core", "capi-kubeadm-bootstrap", "capi-kubeadm-control-plane", "capz"];

/** Matches folders of CRDs whose managers do not run here; they are in CAPZ_WINDOWS_CRDS, which may not be set. */
const others = /^(cluster-api-operator|cert-manager)-/;

/** A management cluster: an API server with the real managers of Cluster API and CAPZ, but without a cloud. */
export class Management {
  private constructor(
    private readonly rigs: Rigs,
    readonly kube: Kube,
    readonly kubeconfig: string,
  ) {}

  static async start(tools: Tools, reconciling: readonly Manager[] = []): Promise<Management> {
    const rigs = new Rigs(tools);
    try {
      const kubeconfig = await rigs.start("management");
      const start = async (names: readonly Manager[], ...flags: readonly string[]): Promise<void> => {
        if (names.length > 0) {
          const common = ["--bin", tools.controllers, "--only", names.join()];
          await rigs.startControllers("management", ...common, ...flags);
        }
      };
      await start(
        all.filter((name) => !reconciling.includes(name)),
        "--webhooks-only",
      );
      await start(reconciling);
      const crds = process.env.CAPZ_WINDOWS_CRDS;
      const folders = crds === undefined ? [] : readdirSync(crds).filter((name) => others.test(name));
      if (crds !== undefined && folders.length > 0) {
        await rigs.rig("crds", rigs.dir("management"), ...folders.map((name) => join(crds, name)));
      }
      return new Management(rigs, new Kube(kubeconfig), kubeconfig);
    } catch (error) {
      await rigs.stopAll();
      throw error;
    }
  }

  /** The objects of kinds that the API server serves; other kinds may be missing only if they are not Cluster API's. */
  async served(objects: readonly KubernetesObject[]): Promise<KubernetesObject[]> {
    const there = await Promise.all(
      objects.map(
        async (object) =>
          !/^(operator\.cluster\.x-k8s\.io|cert-manager\.io)\//.test(object.apiVersion) ||
          (await this.kube.serves(object)),
      ),
    );
    return objects.filter((_, index) => there[index]);
  }

  async stop(): Promise<void> {
    this.kube.close();
    await this.rigs.stopAll();
  }
}

/** A management cluster for the tests of a file, which is started before they run. */
export function managementOf(tools: Tools, reconciling: readonly Manager[] = []): () => Management {
  let management: Management | undefined;

  beforeAll(async () => {
    management = await Management.start(tools, reconciling);
  }, 300_000);

  afterAll(async () => {
    await management?.stop();
  }, 60_000);

  return () => assertDefined(management, "the management cluster: it begins with the tests");
}
