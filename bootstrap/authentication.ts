import { minor } from "semver";
import type { IssuerArgs } from "capz-windows-platform/login/issuers";
import { apiServerFile, apiServerText, noApiServerFile, type ApiServerParts } from "./apiServerFile";
import { withoutUndefined } from "capz-windows-kit/without";

/** Login to the API server with tokens of issuers. */
export interface Authentication {
  readonly issuers: readonly IssuerArgs[];
}

/** The first minor version whose API server reads such a file by default (k8s.io/apiserver pkg/features: beta in 1.30). */
export const firstWithAuthentication = 30;

/** The first minor version with v1 of its API (k8s.io/apiserver v0.34.5 pkg/apis/apiserver/v1). */
const firstWithV1 = 34;

/** The first minor version that limits anonymous access by path (k8s.io/apiserver pkg/features: beta in 1.32). */
const firstWithPaths = 32;

/**
 * What is read without a login: cluster-info by `kubeadm join`, and the health of the API server by kubeadm, by its kubelet
 * and by the load balancer (CAPZ v1.27.0, azure/services/loadbalancers: a probe of /readyz).
 */
const anonymousPaths = [
  "/api/v1/namespaces/kube-public/configmaps/cluster-info",
  ...["/healthz", "/livez", "/readyz"],
];

/**
 * The AuthenticationConfiguration.
 * @param kubernetesVersion - of the control plane, with leading v
 */
export function authenticationText({ issuers }: Authentication, kubernetesVersion: string): string {
  const configuration = withoutUndefined({
    apiVersion: `apiserver.config.k8s.io/${minor(kubernetesVersion) >= firstWithV1 ? "v1" : "v1beta1"}`,
    kind: "AuthenticationConfiguration",
    anonymous:
      minor(kubernetesVersion) >= firstWithPaths
        ? { enabled: true, conditions: anonymousPaths.map((path) => ({ path })) }
        : undefined,
    jwt: issuers.map(({ issuerUrl: url, audiences, certificateAuthority, ...claims }) => ({
      issuer: withoutUndefined({
        url,
        audiences,
        // Required with several, refused with one of another kind (k8s.io/apiserver pkg/apis/apiserver/validation).
        audienceMatchPolicy: audiences.length > 1 ? "MatchAny" : undefined,
        certificateAuthority,
      }),
      claimMappings: {
        username: { claim: claims.usernameClaim, prefix: claims.usernamePrefix },
        groups: { claim: claims.groupsClaim, prefix: claims.groupsPrefix },
      },
    })),
  });
  return apiServerText(configuration);
}

/** The argument of the API server, its volume, and the file with the issuers (kubernetes.io/docs/reference/access-authn-authz/authentication). */
export function authenticationBootstrap(
  authentication: Authentication | undefined,
  kubernetesVersion: string,
): ApiServerParts {
  return authentication === undefined
    ? noApiServerFile
    : apiServerFile(
        "authentication-config",
        "authentication",
        authenticationText(authentication, kubernetesVersion),
      );
}
