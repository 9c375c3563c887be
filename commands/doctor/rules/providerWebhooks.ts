import type { World } from "../../cluster/snapshot";
import { anyOf, hasCondition, olderThan, says, unread, warned } from "./finders";
import { azureKinds } from "./kinds";
import { providerKinds } from "./providerDownloads";
import { inManagement, webhookExpired, webhookExpiry } from "./webhookExpiry";
import type { Detectors, Match } from "./rule";

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

export const webhookRules: Detectors = {
  "cert-manager-distrusted": issuerSays(issuerDistrusted),
  "cert-manager-webhook": issuerSays(issuerFails),
  ...webhookExpiry(webhookSays(webhookExpired)),
  "webhook-certificate": webhookSays(distrusted),
  "webhook-down": webhookSays(fails),
};
