import { readFileSync } from "node:fs";
import { parse, stringify } from "yaml";
import { assertDefined } from "capz-windows-kit/assertDefined";
import type { KubernetesObject } from "capz-types";
import { isRecord } from "capz-windows-kit/untyped";
import type { Plan } from "../../plan/model/plan";
import { apiVersions } from "../../capi/apiVersions";
import { until } from "../life/deploy";
import { tools } from "../life/support/rig";
import { bootstrapData, completed, fromSecret, secretKind, type IsConfig } from "../life/support/writtenData";
import { exampleStacks, planOf } from "../support/plans";
import { managementOf } from "./management";

/**
 * Compares the user data that the bootstrap provider writes with that of the plan, byte for byte, for every pool and the
 * first control plane machine of every example. There are no machines: the test sets the status of AzureCluster and
 * Cluster, and the management cluster also serves as the workload cluster in which join tokens are created. The other machines
 * of a control plane begin when the first one runs: test/life/controlPlane.test.ts compares theirs.
 */
const found = tools();

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

/** Machines do not wait for a stable control plane. Cluster API copies it to the MachineSet (v1.14.2 common_types.go). */
const withoutPreflight = (object: KubernetesObject): KubernetesObject =>
  object.kind !== "MachineDeployment"
    ? object
    : {
        ...object,
        metadata: {
          ...object.metadata,
          annotations: {
            ...object.metadata.annotations,
            "machineset.cluster.x-k8s.io/skip-preflight-checks": "All",
          },
        },
      };

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
      await kube.applyAs("test", withoutPreflight(object));
    }
    const azureCluster = cluster.find(({ kind }) => kind === "AzureCluster")!;
    await kube.patch({ ...azureCluster, spec: { controlPlaneEndpoint: plan.cluster.apiServer } });
    await kube.patch({ ...azureCluster, ...{ status: { ready: true } } }, "/status");
  }

  /** Compares a text of the plan with what the bootstrap provider has written for it, as soon as it has. */
  async function compare(plan: Plan, path: string, isIt: IsConfig): Promise<void> {
    const { kube } = management();
    const { namespace } = plan.settings;
    let real: string | undefined;
    await until(`${path} in ${namespace}`, 120, async () => {
      real = await bootstrapData(kube, namespace, isIt);
      return real !== undefined;
    });
    expect(real).toBe(await completed(kube, planned(plan, path), namespace, real!));
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
        await compare(
          planFor(stack),
          "control-plane/user-data.txt",
          // A machine of a MachineDeployment may be there first; it has no data before the control plane has.
          ({ metadata }) => metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined,
        );
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
        for (const { name, kind } of plan.cluster.pools) {
          await compare(plan, `${name}/user-data.txt`, ({ metadata }) =>
            kind === "MachinePool"
              ? (metadata.ownerReferences ?? []).some((owner) => owner.name === name)
              : metadata.labels?.["cluster.x-k8s.io/deployment-name"] === name,
          );
        }
      },
      480_000,
    );
  });
}
