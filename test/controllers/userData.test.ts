import { readFileSync } from "node:fs";
import { parse, stringify } from "yaml";
import { assertDefined } from "../../domain/assertDefined";
import type { KubernetesObject } from "../../domain/capi/types";
import { isRecord, textAt } from "../../domain/untyped";
import type { Plan } from "../../plan/model/plan";
import { apiVersions } from "../../domain/capi/apiVersions";
import { until } from "../life/deploy";
import type { LiveObject } from "../life/kube";
import { tools } from "../life/support/rig";
import { exampleStacks, planOf } from "../support/plans";
import { managementOf } from "./management";

/**
 * Compares the user data that the bootstrap provider writes with that of the plan, byte for byte, for every pool and the
 * first control plane machine of every example. There are no machines: the test sets the status of AzureCluster and
 * Cluster, and the management cluster also serves as the workload cluster in which join tokens are created.
 */
const found = tools();

const secretKind = { apiVersion: "v1", kind: "Secret" };
const decoded = (secret: LiveObject | undefined, key: string): string =>
  Buffer.from(textAt(secret, "data", key), "base64").toString("utf8");

const secret = (
  name: string,
  namespace: string,
  data: Readonly<Record<string, string>>,
  more: object = {},
): KubernetesObject => ({
  ...{ ...secretKind, metadata: { name, namespace } },
  ...more,
  stringData: data,
});

/** A kubeconfig with its certificates inline. */
function portable(path: string): string {
  const inline = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(inline)
      : isRecord(value)
        ? Object.fromEntries(
            Object.entries(value).map(([key, inner]) =>
              /^(certificate-authority|client-certificate|client-key)$/.test(key)
                ? [`${key}-data`, readFileSync(String(inner)).toString("base64")]
                : [key, inline(inner)],
            ),
          )
        : value;
  return stringify(inline(parse(readFileSync(path, "utf8"))));
}

/** A condition that Cluster API's controllers do not change once it is true. */
const initialized = {
  type: "ControlPlaneInitialized",
  ...{ status: "True", reason: "Initialized", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
};

const fromSecret = /^( *)<from secret (\S+), key (\S+)>$/gm;

if (typeof found === "string") {
  it.skip(found, () => undefined);
} else {
  const management = managementOf(found, [
    "capi-core",
    "capi-kubeadm-bootstrap",
    "capi-kubeadm-control-plane",
  ]);

  /** Creates the Secrets that user data refers to: azure.json, which CAPZ would write, and those of files. */
  async function writeSecrets({ nodes, settings }: Plan): Promise<void> {
    const wanted = new Map<string, Set<string>>();
    for (const { text } of nodes) {
      for (const [, , name = "", key = ""] of text.matchAll(fromSecret)) {
        if (!/-(ca|etcd|sa|proxy)$/.test(name)) {
          wanted.set(name, (wanted.get(name) ?? new Set()).add(key));
        }
      }
    }
    for (const [name, keys] of wanted) {
      const data = Object.fromEntries([...keys].map((key) => [key, `{\n  "cloud": "${name} ${key}"\n}\n`]));
      await management().kube.applyAs("test", secret(name, settings.namespace, data));
    }
  }

  /**
   * Marks the network of the cluster as ready. The kubeconfig is the test's, so the control plane's manager keeps it.
   */
  async function begin(plan: Plan): Promise<void> {
    const { clusterName: name, namespace } = plan.settings;
    const { kube } = management();
    const objects = plan.objects.management.map(({ object }) => object);
    const cluster = objects.filter(({ apiVersion }) => apiVersion.includes("cluster.x-k8s.io/"));
    await kube.applyAs("test", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await kube.applyAs(
      "test",
      secret(
        `${name}-kubeconfig`,
        namespace,
        { value: portable(management().kubeconfig) },
        {
          metadata: {
            name: `${name}-kubeconfig`,
            namespace,
            labels: { "cluster.x-k8s.io/cluster-name": name },
          },
          type: "cluster.x-k8s.io/secret",
        },
      ),
    );
    await writeSecrets(plan);
    for (const object of cluster.filter(({ apiVersion }) => !apiVersion.startsWith("operator."))) {
      await kube.applyAs("test", object);
    }
    const azureCluster = cluster.find(({ kind }) => kind === "AzureCluster")!;
    await kube.patch({ ...azureCluster, spec: { controlPlaneEndpoint: plan.cluster.apiServer } });
    await kube.patch({ ...azureCluster, ...{ status: { ready: true } } }, "/status");
  }

  /** The bootstrap data of a KubeadmConfig, as soon as it exists. */
  async function dataOf(namespace: string, isIt: (config: LiveObject) => boolean): Promise<string> {
    let text = "";
    await until(`bootstrap data in ${namespace}`, 120, async () => {
      const configs = await management().kube.list({
        apiVersion: apiVersions.bootstrap,
        kind: "KubeadmConfig",
      });
      const own = configs.find((config) => config.metadata.namespace === namespace && isIt(config));
      const name = textAt(own, "status", "dataSecretName");
      text = name === "" ? "" : decoded(await management().kube.get(secretKind, name, namespace), "value");
      return text !== "";
    });
    return text;
  }

  /** The user data of a plan, with values from the management cluster instead of placeholders. */
  async function completed(planned: string, namespace: string, real: string): Promise<string> {
    const contents = new Map<string, string>();
    for (const [placeholder, indent = "", name = "", key = ""] of planned.matchAll(fromSecret)) {
      const content = decoded(await management().kube.get(secretKind, name, namespace), key);
      contents.set(placeholder, content.replace(/^/gm, indent));
    }
    const [, token = "no token"] = /^ +token: (\S+)$/m.exec(real) ?? [];
    const [, caHash = "no hash"] = /^ +- (sha256:[0-9a-f]{64})$/m.exec(real) ?? [];
    const [, sentinel = "no text"] = /^ {4}content: "(This placeholder file .*)"$/m.exec(real) ?? [];
    return planned
      .replace(fromSecret, (placeholder) => contents.get(placeholder) ?? "")
      .replace("<bootstrap token>", () => token)
      .replace("<sha256 of the cluster's CA>", () => caHash)
      .replace("<text of the bootstrap provider; the file only makes the folder>", () => sentinel);
  }

  const plans = new Map<string, Plan>();
  const planFor = (stack: string): Plan => assertDefined(plans.get(stack), `the plan of ${stack}`);
  const planned = ({ nodes }: Plan, path: string): string => nodes.find((node) => node.path === path)!.text;

  // All clusters at once: their controllers mostly wait.
  beforeAll(async () => {
    for (const stack of exampleStacks) {
      const plan = await planOf(stack);
      plans.set(stack, plan);
      await begin(plan);
    }
  }, 240_000);

  describe("the bootstrap provider writes what the plan has for the first control plane machine", () => {
    it.each(exampleStacks)(
      "of %s",
      async (stack) => {
        const plan = planFor(stack);
        const { namespace } = plan.settings;
        // A machine of a MachineDeployment may be there first; it has no data before the control plane has.
        const real = await dataOf(
          namespace,
          ({ metadata }) => metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined,
        );
        expect(real).toBe(await completed(planned(plan, "control-plane/user-data.txt"), namespace, real));
      },
      150_000,
    );
  });

  describe("the bootstrap provider writes what the plan has for every pool", () => {
    beforeAll(async () => {
      for (const { settings } of plans.values()) {
        const { clusterName: name, namespace } = settings;
        await management().kube.patch(
          {
            apiVersion: apiVersions.cluster,
            kind: "Cluster",
            metadata: { name, namespace },
            ...{ status: { conditions: [initialized] } },
          },
          "/status",
        );
      }
    });

    it.each(exampleStacks)(
      "of %s",
      async (stack) => {
        const plan = planFor(stack);
        const { namespace } = plan.settings;
        // A MachineDeployment has no machines before the control plane is there.
        for (const pool of plan.cluster.pools.filter(({ kind }) => kind === "MachinePool")) {
          const real = await dataOf(namespace, ({ metadata }) =>
            (metadata.ownerReferences ?? []).some(({ name: owner }) => owner === pool.name),
          );
          expect(real).toBe(await completed(planned(plan, `${pool.name}/user-data.txt`), namespace, real));
        }
      },
      480_000,
    );
  });
}
