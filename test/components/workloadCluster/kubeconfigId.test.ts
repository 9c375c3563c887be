import * as pulumi from "@pulumi/pulumi";
import { kubeconfigId } from "../../../components/workloadCluster/kubeconfigId";

/** The ID with which the kubeconfig is read; `undefined` for an unknown ID, with which nothing is read. */
async function readBy(status: unknown, isPreview: boolean): Promise<string | undefined> {
  const id = pulumi
    .output("")
    .apply(() => kubeconfigId({ namespace: "ns", clusterName: "c", status, isPreview }));
  const { isKnown, promise } = id as unknown as {
    isKnown: Promise<boolean>;
    promise: () => Promise<string>;
  };
  return (await isKnown) ? promise() : undefined;
}

// A preview that reads a missing Secret fails, and every later `up` with it.
it.each([
  ["was just created", undefined],
  ["was waited for in vain", { phase: "Provisioning", initialization: { infrastructureProvisioned: true } }],
  ["has another status altogether", { initialization: { controlPlaneInitialized: "true" } }],
])("a preview reads no kubeconfig of a Cluster that %s", async (_, status) => {
  expect(await readBy(status, true)).toBeUndefined();
});

it("a preview reads the kubeconfig of a Cluster with a control plane", async () => {
  expect(await readBy({ initialization: { controlPlaneInitialized: true } }, true)).toBe("ns/c-kubeconfig");
});

it("an update reads it after its wait, whatever the status in its outputs", async () => {
  expect(await readBy(undefined, false)).toBe("ns/c-kubeconfig");
});
