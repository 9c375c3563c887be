/** Name of the webhook for group managed service accounts; it is the same in upstream's own installation. */
export const gmsaWebhookName = "admission-webhook.windows-gmsa.sigs.k8s.io";
