import { says } from "./finders";
import type { Rule } from "./rule";

/** Releases of providers that the Cluster API operator does not get. */

export const providerKinds = [
  "CoreProvider",
  "BootstrapProvider",
  "ControlPlaneProvider",
  "InfrastructureProvider",
];

export const providerDownloadRules: readonly Rule[] = [
  {
    id: "provider-rate-limit",
    stage: "providers",
    symptom: "ComponentsFetchError: rate limit for github api has been reached",
    cause:
      "GitHub's limit is reached: it answers 60 requests an hour from one address without a login, and the Cluster API operator asks it for the release of {name}.",
    remedy: [
      "Wait an hour: the operator tries again by itself.",
      "kubectl get {kind} {name} -n {podNamespace} -o jsonpath='{.spec.configSecret}'   # GITHUB_TOKEN: A-TOKEN in this Secret lifts the limit",
      "capz-windows:clusterApi: {componentsRepository: registry.example.com/platform/cluster-api}   # a copy of the manifests; GitHub is not asked",
    ],
    source:
      "cluster-api-operator #394; https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api",
    find: says({ kinds: providerKinds, text: /rate limit/i }),
  },
];
