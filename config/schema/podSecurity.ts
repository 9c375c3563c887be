import { z } from "zod";
import {
  firstWithPodSecurity,
  podSecurityLevels,
  privilegedNamespaces,
  type PodSecurityLevel,
} from "capz-windows-platform/cluster/podSecurity";
import { keyWithDefault, matching, optionalMapping } from "./scalars";

/** Pod Security of namespaces without labels. */

const level = (byDefault: PodSecurityLevel, description: string) =>
  keyWithDefault(z.enum(podSecurityLevels), byDefault, { description, examples: [byDefault] });

export const podSecurity = optionalMapping(
  `Pod Security Standards for namespaces without labels pod-security.kubernetes.io/..., from Kubernetes 1.${firstWithPodSecurity} on; \`{}\` refuses pods that are administrators of their node. Every change of it rolls the control plane. Default: only labels count`,
  {
    enforce: level("baseline", "Pods below this level are refused"),
    audit: level("restricted", "Pods below this level are noted in the audit log, if there is one"),
    warn: level(
      "restricted",
      "Whoever writes a pod below this level, or a Deployment with such pods, is warned",
    ),
    exemptNamespaces: keyWithDefault(
      z
        .array(
          matching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, {
            allowed: "the name of a namespace: 1–63 characters: a–z, 0–9 and -",
          }),
        )
        .max(100),
      [],
      {
        description: `Namespaces that no level concerns, such as one with HostProcess pods of your own, or with the agent of a CNI, beside those of the add-ons (${privilegedNamespaces.join(", ")})`,
        allowed: "up to 100 names of namespaces: 1–63 characters, a–z, 0–9 and -",
        examples: [["monitoring"]],
      },
    ),
  },
  {},
);
