import { secondsUntilRetry, webhookPatience } from "../../components/unreadyWebhooks";

/** Messages of kube-apiserver 1.36 and of Pulumi's Kubernetes provider. */
const noEndpoints =
  'Internal error occurred: failed calling webhook "default.cluster.cluster.x-k8s.io": failed to call webhook: Post "https://capi-webhook-service.capi-system.svc:443/mutate?timeout=10s": no endpoints available for service "capi-webhook-service"';
const slow =
  'Internal error occurred: failed calling webhook "validation.azuremachinepool": failed to call webhook: Post "https://capz-webhook-service.capz-system.svc:443/validate?timeout=10s": context deadline exceeded';
const conversion =
  'conversion webhook for cluster.x-k8s.io/v1beta1, Kind=Cluster failed: Post "https://capi-webhook-service.capi-system.svc:443/convert?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority';
const refused =
  'admission webhook "validation.kubeadmcontrolplane.controlplane.cluster.x-k8s.io" denied the request: KubeadmControlPlane.controlplane.cluster.x-k8s.io "dev-control-plane" is invalid: spec.replicas: Forbidden: cannot be an even number when etcd is stacked';
const waited =
  'the Kubernetes API server reported that "capz-system/azure" failed to fully initialize or become live: failed calling webhook "vinfrastructureprovider.kb.io": timed out waiting for the condition';

const patience = webhookPatience.update;
const retry = (error: string, failedOperation = "create") =>
  secondsUntilRetry({ failedOperation, errors: [error] }, patience);

describe("an operation on an object that a webhook admits", () => {
  it.each([noEndpoints, slow, conversion])(
    "is tried again while the webhook does not answer: %s",
    (error) => {
      expect(retry(error)).toBe(5);
      expect(retry(`the Kubernetes API server reported that "a/b" failed: ${error}`, "update")).toBe(5);
    },
  );

  it.each([
    ["a webhook refuses it", refused],
    ["it has been waited for already, for as long as is allowed", waited],
    ["the object is there already", 'namespaces "dev" already exists'],
    ["it has not become ready", "timed out waiting for the condition"],
  ])("is not tried again when %s", (_why, error) => {
    expect(retry(error)).toBeUndefined();
  });

  it("is not tried again when it is a deletion, for which `pulumi destroy` runs no program", () => {
    expect(retry(noEndpoints, "delete")).toBeUndefined();
  });

  it("is tried again or not by its last error", () => {
    const errors = [refused, noEndpoints];
    expect(secondsUntilRetry({ failedOperation: "create", errors }, patience)).toBeUndefined();
    expect(secondsUntilRetry({ failedOperation: "create", errors: [noEndpoints, refused] }, patience)).toBe(
      10,
    );
  });

  it.each([
    ["up", webhookPatience.update, 10 * 60],
    ["preview", webhookPatience.preview, 40],
  ])("is given up in time by %s", (_command, limit, most) => {
    const delays: number[] = [];
    for (;;) {
      const errors = Array.from({ length: delays.length + 1 }, () => noEndpoints);
      const seconds = secondsUntilRetry({ failedOperation: "create", errors }, limit);
      if (seconds === undefined) {
        break;
      }
      delays.push(seconds);
    }
    const total = delays.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBeLessThanOrEqual(most);
    expect(total).toBeGreaterThan(most - 31);
    // The engine itself stops after a hundred attempts.
    expect(delays.length).toBeLessThan(100);
    expect(delays.slice(0, 3)).toEqual([5, 10, 20].slice(0, delays.length));
  });
});
