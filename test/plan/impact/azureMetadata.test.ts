import { diffPlans } from "../../../plan/compare/diffPlans";
import { impactsOf } from "../../../plan/impact/impacts";
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
  const [base, head] = [planOf(before), planOf(after)];
  return impactsOf({ base, head, diff: diffPlans(base, head) })
    .filter(({ rule }) => rule.startsWith("azure-metadata"))
    .map(({ what }) => what.replace(/Azure's metadata service \(.*?\) and wire server \(.*?\)/, "it"));
};

const all = undefined;

it.each<[string, readonly string[] | undefined, readonly string[] | undefined, readonly string[]]>([
  ["denied to all", all, [], ["Pods can no longer reach it: those in every namespace"]],
  ["denied to most", all, ["a", "b"], ["Pods can no longer reach it: those in every namespace but a and b"]],
  ["denied to more", ["a", "b"], ["b"], ["Pods can no longer reach it: those in a"]],
  ["allowed to more", ["b"], ["b", "default"], ["Pods can reach it from now on: those in default"]],
  ["allowed to all", ["b"], all, ["Pods can reach it from now on: those in every namespace"]],
  [
    "allowed to others",
    ["a"],
    ["b"],
    ["Pods can no longer reach it: those in a", "Pods can reach it from now on: those in b"],
  ],
])("%s", (_what, before, after, texts) => {
  expect(said(before, after).sort()).toEqual(texts);
});
