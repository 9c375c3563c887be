import { sourceParts } from "../../../plan/reports/sources";

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
