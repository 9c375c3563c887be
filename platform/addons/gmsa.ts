import { components } from "../compatibility";
import type { PinnedManifest } from "./pinnedManifest";

/** Windows containers that sign in to Active Directory as group managed service accounts. */

/** The manifests of their CRD, by release. */
const pinned = {
  "v0.13.0": { sha256: "752d41d00cdc429dc6aa801e5878d545a78304f0b866625c8745b64d6e368bbd", bytes: 3_530 },
} as const satisfies Record<typeof components.gmsa.version, object>;

export const gmsaVersions = Object.keys(pinned) as readonly (keyof typeof pinned)[];
export type GmsaVersion = (typeof gmsaVersions)[number];
export const defaultGmsaVersion: GmsaVersion = components.gmsa.version;

export const gmsaCrdManifest = (version: GmsaVersion): PinnedManifest => ({
  name: "windows-gmsa-crd",
  version,
  url: `https://raw.githubusercontent.com/kubernetes-sigs/windows-gmsa/${version}/admission-webhook/deploy/gmsa-crd.yml`,
  ...pinned[version],
});

export const gmsaWebhookImage = (version: GmsaVersion): string =>
  `registry.k8s.io/gmsa-webhook/k8s-gmsa-webhook:${version}`;

/** Tags have no leading v. */
export const webhookCertgenImage = `ghcr.io/jkroepke/kube-webhook-certgen:${components.webhookCertgen.version}`;

/** A namespace of its own, because Secrets created in kube-system can be tokens for accounts of its controllers. */
export const gmsaNamespace = "gmsa-webhook";

/** Name of the webhook; it is the same in upstream's own installation. */
export const gmsaWebhookName = "admission-webhook.windows-gmsa.sigs.k8s.io";

/**
 * The minor from which API servers read matchConditions by default (Kubernetes, feature AdmissionWebhookMatchConditions).
 * Older ones drop them, and every pod of the cluster would wait for the webhook.
 */
export const firstWithGmsa = 28;
