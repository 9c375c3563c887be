import type { Detectors, Find } from "./rule";

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

export const webhookExpiry = (find: Find): Detectors => ({
  "webhook-certificate-expired": find,
});
