import { z } from "zod";
import { addonNamespaces } from "capz-windows-platform/cluster/addonNamespaces";
import { firstWithPolicies, policyModes } from "capz-windows-platform/workloads/admissionPolicy";
import { filledMapping, flag, keyWithDefault, optionalFlag, optionalKey } from "./scalars";

/** What the cluster offers and refuses to workloads on its Windows nodes. */
export const workloads = filledMapping(
  "What the cluster offers and refuses to workloads on its Windows nodes",
  {
    runtimeClasses: optionalFlag(
      "RuntimeClasses by which a pod says for which Windows it is (windows-2022 and so on, one for each release of the pools); true needs a Windows pool and the flavor containerd. Default: true with Windows pools and containerd",
    ),
    hyperV: flag(
      "RuntimeClasses with Hyper-V isolation besides (windows-2022-hyperv and so on): each pod in its own small virtual machine, which takes 100m CPU and 512Mi. Needs VM sizes that nest virtual machines",
    ),
    policy: optionalKey(z.enum(policyModes), {
      description: `What the API server does with pods that name no operating system, with images for another Windows release than their nodes, and with HostProcess pods: warn who writes them, deny them, only audit, or nothing (none; what a cluster has already stays in it). Values other than none need a Windows pool and Kubernetes 1.${firstWithPolicies} or newer. Default: warn with Windows pools from Kubernetes 1.${firstWithPolicies} on`,
      examples: ["deny"],
    }),
    hostProcessNamespaces: keyWithDefault(
      z.array(z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)),
      [],
      {
        description: `Namespaces whose pods may be HostProcess, that is administrators of their node, besides those of the add-ons, which no policy concerns (${addonNamespaces.join(", ")})`,
        allowed: "names of namespaces: 1–63 characters, a–z, 0–9 and -",
        examples: [["monitoring"]],
      },
    ),
  },
);
