import type { World } from "../../cluster/snapshot";
import { anyOf, hasCondition, olderThan, says, unread, warned } from "./finders";
import { azureKinds, capiSource } from "./kinds";
import { providerKinds } from "./providerDownloads";
import { inManagement, webhookExpired, webhookExpiry } from "./webhookExpiry";
import type { Match, Rule } from "./rule";

/** Webhooks of the providers and of cert-manager in the management cluster. */

const fails = inManagement(
  /failed calling webhook "?(?<webhook>[\w.-]+)|conversion webhook for (?<conversion>\S+) failed|no endpoints available for service "?(?<service>[\w-]+)/,
);

const distrusted = /failed calling webhook "?(?<webhook>[\w.-]+)[^]*x509: certificate/;

const issuerFails = /failed calling webhook "?webhook\.cert-manager\.io(?![^]*certificate has expired)/;
// Not a certificate that has expired: the rule webhook-certificate-expired reports it.
const issuerDistrusted =
  /failed calling webhook "?webhook\.cert-manager\.io[^]*x509: certificate (?!has expired)/;

const kinds = [
  ...azureKinds,
  ...["Cluster", "KubeadmControlPlane", "KubeadmConfig", "Machine", "MachinePool", "MachineDeployment"],
  ...["MachineSet", "ClusterResourceSet"],
];

/** While providers are being installed, webhooks answer only after some minutes, and the operator tries again. */
const installing = 10;

const webhookSays = (text: RegExp): ((world: World) => Match[]) =>
  anyOf(
    says({ kinds, text }),
    (world) =>
      says({ kinds: providerKinds, text })(world).filter(
        ({ object }) => object === undefined || olderThan(object, installing, world),
      ),
    // These events count even if the control plane is Ready, because it cannot be changed until the webhook works.
    warned({ kinds: ["KubeadmControlPlane"], text }),
    unread("management", ["other", "certificate"], text),
  );

/** What the operator says of cert-manager's webhook, for longer than cert-manager needs to start. */
const issuerSays = (text: RegExp): ((world: World) => Match[]) =>
  anyOf(
    hasCondition({
      kinds: [...providerKinds, "Certificate"],
      type: /./,
      message: text,
      minutes: 5,
      where: (object, world) => olderThan(object, installing, world),
    }),
    unread("management", ["other"], text),
  );

const atZero = ["provider-scaled-to-zero", "installer-scaled-to-zero"];

export const webhookRules: readonly Rule[] = [
  {
    id: "cert-manager-distrusted",
    stage: "providers",
    symptom:
      'failed calling webhook "webhook.cert-manager.io": x509: certificate signed by unknown authority',
    cause:
      "The API server does not trust the certificate of cert-manager's webhook, so no Certificate can be written and {name} is not installed: the caBundle of the webhook's configuration is empty or old, because cainjector does not run, or because cert-manager was installed again beside remains of an earlier one.",
    remedy: [
      "kubectl get pods -n cert-manager   # does cert-manager-cainjector run? And is there only one cert-manager: kubectl get pods -A | grep cert-manager",
      "kubectl logs deploy/cert-manager-cainjector -n cert-manager --tail=30",
      "kubectl delete secret cert-manager-webhook-ca -n cert-manager   # the webhook makes a new authority",
      "kubectl rollout restart deployment/cert-manager deployment/cert-manager-webhook deployment/cert-manager-cainjector -n cert-manager   # and cainjector writes it into the configuration; the operator then tries again by itself",
    ],
    source: "cert-manager #6864, #5642; https://cert-manager.io/docs/troubleshooting/webhook/",
    follows: [
      "certificate-not-ready",
      "webhook-without-ca",
      "provider-unavailable",
      "pods in cert-manager",
      ...atZero,
    ],
    find: issuerSays(issuerDistrusted),
  },
  {
    id: "cert-manager-webhook",
    stage: "providers",
    symptom: 'failed calling webhook "webhook.cert-manager.io": connection refused, deadline exceeded',
    cause:
      "cert-manager's webhook does not answer, so no Certificate can be written and {name} is not installed: its Pod does not run, or the API server does not reach its port 10250.",
    remedy: [
      "kubectl get pods -n cert-manager -o wide",
      "kubectl logs deploy/cert-manager-webhook -n cert-manager --tail=30",
      "kubectl get networkpolicies -A   # one may forbid the way to port 10250, like a firewall or security group",
    ],
    source: "https://cert-manager.io/docs/troubleshooting/webhook/",
    follows: [
      ...["provider-image-pull", "provider-out-of-memory", "provider-crashes", "provider-unscheduled"],
      ...["certificate-not-ready", "provider-unavailable", ...atZero],
    ],
    find: issuerSays(issuerFails),
  },
  webhookExpiry(webhookSays(webhookExpired)),
  {
    id: "webhook-certificate",
    stage: "providers",
    symptom: "failed calling webhook: x509: certificate signed by unknown authority",
    cause:
      "The API server of the management cluster does not trust the certificate of the webhook {webhook}: cert-manager has renewed it, and its authority is not yet, or not any more, what the webhook's configuration says.",
    remedy: [
      "kubectl rollout restart deployment/cert-manager-cainjector -n cert-manager",
      "kubectl get certificates -A   # all Ready? When they are, restart the provider whose webhook it is:",
      "kubectl rollout restart deployment/capz-controller-manager -n capz-system",
    ],
    source: "CAPZ #5690; https://cert-manager.io/docs/concepts/ca-injector/",
    follows: [
      "certificate-not-ready",
      "webhook-without-ca",
      "provider-unavailable",
      "pods in cert-manager",
      ...atZero,
    ],
    find: webhookSays(distrusted),
  },
  {
    id: "webhook-down",
    stage: "providers",
    symptom: "failed calling webhook, conversion webhook failed, no endpoints available",
    cause:
      "A webhook of a provider does not answer: its Pod starts, was moved or cannot run. Nothing of its kinds can be written meanwhile.",
    remedy: [
      "kubectl get pods -A -l cluster.x-k8s.io/provider",
      "kubectl get endpointslices -A | grep webhook",
      "npx pulumi up --stack {stack}   # again, when the Pods run",
    ],
    source: `${capiSource}, webhooks; controllers retry by themselves`,
    follows: [
      ...["provider-image-pull", "provider-out-of-memory", "provider-crashes", "provider-unscheduled"],
      ...["certificate-not-ready", "webhook-without-ca", "provider-unavailable", "provider-missing"],
      ...atZero,
    ],
    find: webhookSays(fails),
  },
];
