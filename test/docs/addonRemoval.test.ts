import { addonsOf, lineWithoutAddon } from "../../addons/catalogue";
import { deletionCommands } from "../../addons/deletion";
import { readObjects } from "capz-windows-platform/manifests/yamlStream";
import { readText } from "../architecture/sources";
import { planOf } from "../support/plans";

/** The commands in docs/operations.md that delete the objects which a removed add-on leaves in the workload cluster. */

/** The objects that an add-on of the example `everything` delivers. */
async function deliveredBy(addon: string) {
  const { objects } = await planOf("everything");
  const { data } = objects.management.find(
    ({ object }) => object.kind === "ConfigMap" && object.metadata.name === `everything-${addon}`,
  )!.object as unknown as { data: Record<string, string> };
  return (
    Object.values(data)
      .flatMap((text) => readObjects(text).objects)
      // A finished Job is deleted by Kubernetes, and its name changes with what it belongs to.
      .filter(({ kind }) => kind !== "Job")
  );
}

const optional = addonsOf({})
  .map(({ role }) => role)
  .filter((role) => lineWithoutAddon(role) !== undefined);

it.each(optional)("delete all objects of %s", async (addon) => {
  const commands = deletionCommands(await deliveredBy(addon));
  expect(commands.length).toBeGreaterThan(0);
  expect(readText("docs/operations.md").split("\n")).toEqual(expect.arrayContaining(commands));
});

it("delete each object in its namespace, workloads first, and no object whose deletion deletes others", () => {
  const object = (apiVersion: string, kind: string, name: string, namespace?: string) => ({
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  });
  const command = "kubectl --kubeconfig workload.kubeconfig delete --ignore-not-found";
  expect(
    deletionCommands([
      object("v1", "Namespace", "own"),
      object("v1", "ServiceAccount", "a", "own"),
      object("apps/v1", "Deployment", "a", "own"),
      object("rbac.authorization.k8s.io/v1", "Role", "system:a", "kube-system"),
      object("operator.tigera.io/v1", "Installation", "default"),
      object("v1", "PersistentVolumeClaim", "data", "own"),
      object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "installations.operator.tigera.io"),
      object("v1", "ConfigMap", "a; rm -rf /", "own"),
    ]),
  ).toEqual([
    `${command} -n kube-system role/system:a`,
    `${command} -n own deployment/a serviceaccount/a`,
    `${command} installation.operator.tigera.io/default`,
  ]);
});
