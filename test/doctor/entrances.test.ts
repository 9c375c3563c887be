import { diagnose } from "../../commands/doctor/diagnose";
import type { Finding } from "../../commands/doctor/diagnosis";
import { withoutSecrets } from "../../commands/cluster/clean";
import { realPod, terminated } from "./calm/objects";
import { patient, type Patient } from "./patient";

/** Services and Ingresses behind which nothing is; calm/entrances.ts has those that are as somebody wants them. */

const said = (p: Patient): readonly Finding[] => {
  const snapshot = p.snapshot();
  const workload = { ...snapshot.workload, objects: snapshot.workload.objects.map(withoutSecrets) };
  return diagnose({ ...snapshot, workload }).findings;
};

const ids = (p: Patient): string[] => said(p).map(({ id }) => id);

describe("an Ingress without a controller", () => {
  const ingress = (p: Patient, spec: object, annotations: Record<string, string> = {}): void => {
    p.add("workload", {
      ...{ kind: "Ingress", apiVersion: "networking.k8s.io/v1", spec },
      metadata: { name: "web", namespace: "shop", creationTimestamp: p.ago(40), annotations },
      status: { loadBalancer: {} },
    });
  };
  const other = (p: Patient) => p.add("workload", { kind: "IngressClass", metadata: { name: "traefik" } });

  it.each([
    ["its class does not exist", { ingressClassName: "nginx" }, {}, "there is no IngressClass nginx", true],
    ["it has no class, and none is the default", {}, {}, "it names no class", true],
    [
      "it has the annotation, and there is no class",
      {},
      { "kubernetes.io/ingress.class": "nginx" },
      "names the class nginx",
      false,
    ],
  ] as const)("%s", (_, spec, annotations, reason, withOther) => {
    const p = patient();
    ingress(p, spec, { ...annotations, "nginx.ingress.kubernetes.io/configuration-snippet": "hunter2" });
    if (withOther) {
      other(p);
    }
    const [finding, ...others] = said(p);
    expect(others).toEqual([]);
    expect([finding?.id, finding?.cause]).toEqual(["ingress-not-served", expect.stringContaining(reason)]);
  });

  it("is not reported where the classes may not be read, which is no fault of the kubeconfig", () => {
    const p = patient();
    ingress(p, { ingressClassName: "nginx" });
    p.problem("workload", { what: "forbidden", asked: "IngressClass", message: "forbidden", optional: true });
    expect(ids(p)).toEqual([]);
  });

  it("keeps no annotations that a controller reads", () => {
    const p = patient();
    ingress(p, { ingressClassName: "nginx", rules: [{ host: "x" }] }, { "example.com/snippet": "hunter2" });
    const kept = withoutSecrets(p.get("Ingress", "web", "workload"));
    expect(JSON.stringify(kept)).not.toMatch(/hunter2|"rules"/);
    expect(kept.spec).toEqual({ ingressClassName: "nginx" });
  });
});

describe("a program that ends without an error", () => {
  const ends = (p: Patient, node: string, restarts: number) => {
    const waiting = { reason: "CrashLoopBackOff", message: "back-off 5m0s restarting failed container=app" };
    return realPod(p, {
      ...{ namespace: "shop", name: "web-6f7d9c-x2x7q", node, restarts, age: 30 },
      ...{ state: { waiting }, lastState: terminated(p, 0, "Completed", 4) },
    });
  };

  it("on a Windows node has a remedy for Windows", () => {
    const p = patient();
    ends(p, "win1", 9);
    const [finding, ...others] = said(p);
    expect(others).toEqual([]);
    expect([finding?.id, finding?.consequences]).toEqual(["program-completes-windows", []]);
    expect(finding?.remedy.join("; ")).toMatch(/ServiceMonitor/);
  });

  it("is not the cause where a probe ends it", () => {
    const p = patient();
    const pod = ends(p, "win1", 9);
    p.event(pod, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 503", {
      ...{ side: "workload", count: 20 },
    });
    expect(ids(p)).not.toContain("program-completes-windows");
  });

  it("is none after the first ends", () => {
    const p = patient();
    ends(p, "win1", 2);
    expect(ids(p)).toEqual([]);
  });
});

it("an image for Linux on a Windows node is there, although the state says only that kubelet waits", () => {
  const p = patient();
  const image = "nginx:1.27";
  const pod = p.pod("workload", "shop", "web-1", {
    ...{ waiting: ["ImagePullBackOff", `Back-off pulling image "${image}"`], image },
  });
  pod.spec.nodeName = p.node("win1").metadata.name;
  const failed = (reason: string) =>
    p.event(pod, "Failed", `Failed to pull image "${image}": ${reason}`, { side: "workload" });
  expect(ids(p)).toEqual(["image-pull"]);
  failed("no match for platform in manifest: not found");
  expect(ids(p)).toEqual(["linux-image"]);
});
