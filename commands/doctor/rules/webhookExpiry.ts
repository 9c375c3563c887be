import type { Rule } from "./rule";

/** Webhooks whose own certificate has ended. */

/**
 * What is not about webhooks of the workload cluster: they refuse the evictions of a drain and the objects of a
 * ClusterResourceSet.
 */
export const inManagement = (text: RegExp): RegExp =>
  new RegExp(`^(?![^]*(?:Drain not completed|(?:patching|creating) object ))[^]*?(?:${text.source})`);

/** The API server names the webhook, and in the address of the request its Service and namespace. */
export const webhookExpired = inManagement(
  /(?:failed calling webhook "?|conversion webhook for )(?<webhook>[\w./-]+\w)(?:[^]*?https?:\/\/(?<service>[\w-]+)\.(?<where>[\w-]+)\.svc)?[^]*?certificate has expired(?:[^]*? is after (?<ended>[\dT:.Z-]+\w))?/,
);

export const webhookExpiry = (find: Rule["find"]): Rule => ({
  id: "webhook-certificate-expired",
  stage: "providers",
  symptom: "failed calling webhook: x509: certificate has expired",
  cause:
    "The certificate of the webhook {webhook} has expired: cert-manager has not renewed it, or the provider in the namespace {where} still serves the old one. Nothing of its kinds can be written meanwhile.",
  remedy: [
    "kubectl get pods -n cert-manager   # do they run? Then: kubectl logs deploy/cert-manager -n cert-manager --tail=30",
    "kubectl get certificates -n {where} -o custom-columns=NAME:.metadata.name,SECRET:.spec.secretName,READY:.status.conditions[*].status,END:.status.notAfter",
    "kubectl delete secret SECRET -n {where}   # of the certificate that has ended: cert-manager makes it again; or: cmctl renew NAME -n {where}",
    "kubectl rollout restart deployment/DEPLOYMENT -n {where}   # when END is ahead: the provider still serves the old one",
  ],
  source: "https://cert-manager.io/docs/usage/certificate/#renewal; CAPV #1333",
  follows: [
    ...["certificate-not-ready", "provider-unavailable"],
    ...["provider-scaled-to-zero", "installer-scaled-to-zero"],
  ],
  find,
});
