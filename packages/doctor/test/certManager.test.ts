import { diagnose } from "capz-windows-doctor/diagnose";
import { patient } from "./patient";

it.each([
  "dial tcp 10.0.171.9:443: connect: connection refused",
  "context deadline exceeded",
  'no endpoints available for service "cert-manager-webhook"',
])("cert-manager's webhook does not answer the operator: %s", (reason) => {
  for (const [kind, name, namespace] of [
    ["CoreProvider", "cluster-api", "capi-system"],
    ["InfrastructureProvider", "azure", "capz-system"],
  ] as const) {
    const p = patient();
    p.remove("management", ({ apiVersion, kind }) => /x-k8s\.io|azure\.com/.test(`${apiVersion} ${kind}`))
      .remove("management", (o) => /^cap(i|z)-(?!operator)/.test(o.metadata.namespace ?? ""))
      .problem("workload", { asked: "cluster", what: "noKubeconfig", message: "not found" });
    p.condition(
      p.add("management", {
        ...{ apiVersion: "operator.cluster.x-k8s.io/v1alpha2", kind, metadata: { name, namespace } },
      }),
      "ProviderInstalled",
      {
        reason: "InstallFailed",
        ago: 25,
        message: `failed to create provider object cert-manager.io/v1, Kind=Certificate, ${namespace}/serving-cert: Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": ${reason}`,
      },
    );
    const [finding] = diagnose(p.snapshot()).findings;
    expect([finding?.id, finding?.cause]).toEqual([
      "cert-manager-webhook",
      expect.stringContaining("cert-manager's webhook does not answer"),
    ]);
    expect(finding?.remedy.join()).toContain("kubectl get pods -n cert-manager");
  }
});
