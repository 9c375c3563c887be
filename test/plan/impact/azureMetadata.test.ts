import { impactsOfPlans } from "./between";
import { planOfResources, resourceOf } from "../../support/planDocuments";

/** Which pods reach Azure's metadata service, by the policies that a cluster gets. */

const installation = "apiVersion: operator.tigera.io/v1\nkind: Installation\nmetadata: {name: default}\n";

/** A plan whose policy denies it to pods of all namespaces but these; without namespaces to none. */
function planOf(allowed: readonly string[] | undefined) {
  const names = (allowed ?? []).map((name) => `'${name}'`).join(", ");
  const others = names === "" ? "" : ` && projectcalico.org/namespace not in {${names}}`;
  const policy = JSON.stringify({
    apiVersion: "crd.projectcalico.org/v1",
    kind: "GlobalNetworkPolicy",
    metadata: { name: "capz-windows.azure-metadata" },
    spec: {
      selector: `has(projectcalico.org/namespace)${others}`,
      egress: [{ action: allowed === undefined ? "Pass" : "Deny" }],
    },
  });
  const urn =
    "urn:pulumi:s::p::capz-windows:index:ClusterResourceSet$kubernetes:core/v1:ConfigMap::calico-part-1";
  const data = { "calico.yaml": `${installation}---\n${policy}\n` };
  return planOfResources(resourceOf("kubernetes:core/v1:ConfigMap", "calico-part-1", { data }, { urn }));
}

const said = (before: readonly string[] | undefined, after: readonly string[] | undefined) => {
  return impactsOfPlans(planOf(before), planOf(after))
    .filter(({ rule }) => rule.startsWith("azure-metadata"))
    .map(({ what }) => what.replace(/Azure's metadata service \(.*?\) and wire server \(.*?\)/, "it"));
};

const all = undefined;

it.each<[string, readonly string[] | undefined, readonly string[] | undefined, string]>([
  ["denied to all", all, [], "no namespace may reach it, until now of every namespace"],
  ["denied to most", all, ["a", "b"], "a and b may reach it, until now of every namespace"],
  ["denied to more", ["a", "b"], ["b"], "b may reach it, until now of a and b"],
  ["allowed to more", ["b"], ["b", "default"], "b and default may reach it, until now of b"],
  ["allowed to all", ["b"], all, "every namespace may reach it, until now of b"],
  ["allowed to others", ["a"], ["b"], "b may reach it, until now of a"],
])("%s", (_what, before, after, text) => {
  expect(said(before, after)).toEqual([`Pods of ${text}`]);
});

it("a ConfigMap that no add-on delivers has no objects, whatever its texts say", () => {
  const note = resourceOf("kubernetes:core/v1:ConfigMap", "management-client", { data: { stack: "team-a" } });
  expect(impactsOfPlans(planOfResources(), planOfResources(note))).toMatchObject([
    { rule: "other", severity: "changes", what: "ConfigMap management-client is new", urns: [note.urn] },
  ]);
});
