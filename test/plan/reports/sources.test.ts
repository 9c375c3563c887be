import { impactRules } from "../../../plan/impact/allRules";
import { sourceParts } from "../../../plan/reports/sources";

const linksOf = (source: string) => sourceParts(source).filter(({ url }) => url !== undefined);

it.each([
  [
    "CAPI v1.14 core/webhooks/admission/clusterresourceset.go",
    "https://github.com/kubernetes-sigs/cluster-api/blob/release-1.14/core/webhooks/admission/clusterresourceset.go",
  ],
  ["CAPZ #2972", "https://github.com/kubernetes-sigs/cluster-api-provider-azure/issues/2972"],
  ["CAPZ docs/book", "https://github.com/kubernetes-sigs/cluster-api-provider-azure/blob/main/docs/book"],
  [
    "azure-native 3 provider/pkg/gen/replacement.go",
    "https://github.com/pulumi/pulumi-azure-native/blob/master/provider/pkg/gen/replacement.go",
  ],
])("%s is a link", (source, url) => {
  expect(sourceParts(`${source} (why)`)).toEqual([{ text: source, url }, { text: " (why)" }]);
});

it("names a web page by its host", () => {
  expect(sourceParts("see https://learn.microsoft.com/azure/aks#a; more")).toEqual([
    { text: "see " },
    { text: "learn.microsoft.com", url: "https://learn.microsoft.com/azure/aks#a" },
    { text: "; more" },
  ]);
});

it.each([
  "https://evil.example/a",
  "https://learn.microsoft.com.evil.example/a",
  "https://learn.microsoft.com@evil.example/a",
  "http://kubernetes.io/a",
  "CAPI v1.14 ../../evil/repository",
  "javascript:alert(1)",
  "project: packages/platform/cluster/refusedChanges.ts",
])("%s is text", (source) => {
  expect(sourceParts(source)).toEqual([{ text: source }]);
});

it("links every source of a rule that names a web page or a file of another project", () => {
  const named = impactRules.map(({ source }) => source).filter((source) => /https:|\.go\b|#\d/.test(source));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((source) => linksOf(source).length === 0)).toEqual([]);
});
