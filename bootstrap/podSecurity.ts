import { privilegedNamespaces, type PodSecurity } from "capz-windows-platform/cluster/podSecurity";
import { apiServerFile, apiServerText, noApiServerFile, type ApiServerParts } from "./apiServerFile";

/**
 * The AdmissionConfiguration (kubernetes.io/docs/tasks/configure-pod-container/enforce-standards-admission-controller). It
 * names no versions, so each level is that of the API server's own version.
 */
const podSecurityText = ({ exemptNamespaces, enforce, audit, warn }: PodSecurity): string =>
  apiServerText({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AdmissionConfiguration",
    plugins: [
      {
        name: "PodSecurity",
        configuration: {
          apiVersion: "pod-security.admission.config.k8s.io/v1",
          kind: "PodSecurityConfiguration",
          defaults: { enforce, audit, warn },
          exemptions: { namespaces: [...new Set([...privilegedNamespaces, ...exemptNamespaces])].sort() },
        },
      },
    ],
  });

/** The argument of the API server, its volume, and the file with the levels of namespaces without labels. */
export const podSecurityBootstrap = (podSecurity: PodSecurity | undefined): ApiServerParts =>
  podSecurity === undefined
    ? noApiServerFile
    : apiServerFile("admission-control-config-file", "admission", podSecurityText(podSecurity));
