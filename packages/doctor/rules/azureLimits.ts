import { withVars } from "./answers";
import { says } from "./finders";
import { azureKinds } from "./kinds";
import type { Detectors, Find } from "./rule";

/** Adds the namespace that is not registered, from the message or from the URL of the request. */
const namespaced = (find: Find): Find =>
  withVars(find, ({ proof, vars }) => ({
    provider: /\/providers\/(Microsoft\.\w+)/.exec(proof.text)?.[1] ?? "Microsoft.Network",
    ...vars,
  }));

export const azureLimits: Detectors = {
  "provider-not-registered": namespaced(
    says({
      kinds: azureKinds,
      text: /(?:MissingSubscriptionRegistration|MissingRegistrationForLocation|InvalidSubscriptionRegistrationState|SubscriptionNotRegistered\b)(?:.*?namespace '(?<provider>[^']+)')?/s,
    }),
  ),
};
