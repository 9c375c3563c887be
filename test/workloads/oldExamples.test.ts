import { stringify } from "yaml";
import { movedReference } from "../../platform/workloads/imageReferences";
import { onWindows, podYaml, workloads } from "./support";

/** Fields of examples that have been copied since Kubernetes 1.9, and are refused or ineffective today. */

const labels = { app: "web" };
const template = {
  metadata: { labels },
  spec: { nodeSelector: onWindows, containers: [{ name: "c", image: "r.example/app:1-ltsc2022" }] },
};

const made = (over: object, spec: object = {}): string =>
  stringify({
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } },
    spec: { selector: { matchLabels: labels }, template, ...spec },
    ...over,
  });

describe("the API server refuses", () => {
  test.each([
    [
      "a version that is gone",
      made({ apiVersion: "extensions/v1beta1" }),
      "Kubernetes has no Deployment of extensions/v1beta1 since 1.16: write apiVersion: apps/v1",
    ],
    [
      "a CronJob of the beta",
      stringify({
        ...{ apiVersion: "batch/v1beta1", kind: "CronJob", metadata: { name: "web" } },
        spec: { jobTemplate: { spec: { template } } },
      }),
      "Kubernetes has no CronJob of batch/v1beta1 since 1.25: write apiVersion: batch/v1",
    ],
    [
      "a Job that starts its containers again",
      stringify({
        ...{ apiVersion: "batch/v1", kind: "Job", metadata: { name: "web" } },
        spec: { template: { spec: { ...template.spec, restartPolicy: "Always" } } },
      }),
      "the pods of a Job have restartPolicy Always: write OnFailure or Never",
    ],
    [
      "a CronJob without a restart policy",
      stringify({
        ...{ apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "web" } },
        spec: { schedule: "@daily", jobTemplate: { spec: { template } } },
      }),
      "the pods of a CronJob have restartPolicy Always, the default: write OnFailure or Never",
    ],
    [
      "a Deployment that ends",
      made({}, { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } }),
      "the pods of a Deployment have restartPolicy Never: write Always",
    ],
    [
      "a name with capitals",
      made({ metadata: { name: "my-Web_1" } }),
      "Deployment my-Web_1 is not a valid name; use lowercase letters, digits, - and . only: write my-web-1",
    ],
    [
      "no selector",
      made({}, { selector: undefined }),
      "spec.selector is missing: write selector: {matchLabels: {app: web}}",
    ],
    [
      "neither a selector nor labels",
      made({}, { selector: {}, template: { spec: template.spec } }),
      "spec.selector is missing: write selector: {matchLabels: {app: NAME}}, and the same labels in spec.template.metadata",
    ],
    [
      "a selector of other pods",
      made({}, { selector: { matchLabels: { app: "shop" } } }),
      "spec.selector has app: shop, which the labels in spec.template.metadata have not",
    ],
  ])("%s", async (_, text, message) => {
    const { code, out } = await workloads({ "m.yaml": text });
    expect(out).toContain(`  error          the API server refuses it: ${message}\n`);
    expect(out).not.toMatch(/ {2}(runs|scheduled|not scheduled)/);
    expect(code).toBe(2);
  });

  test("nothing of a valid manifest", async () => {
    const { out } = await workloads({ "m.yaml": made({ metadata: { name: "web.v1" } }) });
    expect(out).not.toContain("error");
  });
});

describe("what has no effect any more gets a note:", () => {
  test("Hyper-V isolation by annotation", async () => {
    const annotations = { "experimental.windows.kubernetes.io/isolation-type": "hyperv" };
    const { out } = await workloads({
      "m.yaml": made({}, { template: { ...template, metadata: { labels, annotations } } }),
    });
    expect(out).toContain(
      "  note           the annotation experimental.windows.kubernetes.io/isolation-type does nothing since Kubernetes 1.21: its containers run in process isolation; for Hyper-V isolation write runtimeClassName (workloads.hyperV)\n",
    );
  });
});

describe("images that Microsoft has moved", () => {
  test("run on no supported host, and the advice names the new repository", async () => {
    const { code, out } = await workloads({
      "m.yaml": podYaml({ nodeSelector: onWindows }, "microsoft/iis"),
    });
    expect(out).toContain(
      "  win2025        scheduled, but fails to start: the image microsoft/iis has no build for Windows Server 2019 or later, because Microsoft no longer publishes to Docker Hub: use mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2025\n",
    );
    expect(code).toBe(2);
  });

  test.each([
    ["microsoft/nanoserver:1709", "2022", "mcr.microsoft.com/windows/nanoserver:ltsc2022"],
    ["docker.io/microsoft/nanoserver", "2019", "mcr.microsoft.com/windows/nanoserver:1809"],
    ["microsoft/windowsservercore:ltsc2016", "2025", "mcr.microsoft.com/windows/servercore:ltsc2025"],
    [
      "microsoft/aspnet:4.7.2",
      "2022",
      "mcr.microsoft.com/dotnet/framework/aspnet:4.8-windowsservercore-ltsc2022",
    ],
    ["r.example/microsoft/iis", "2022", undefined],
    ["mcr.microsoft.com/windows/servercore/iis", "2022", undefined],
  ])("%s for %s: %s", (image, release, expected) => {
    expect(movedReference(image, release)).toBe(expected);
  });
});
