import { creationFails } from "./podFinders";
import type { Rule } from "./rule";

/** What the admission policies of the stack answer with `workloads.policy: deny` (platform/workloads/admissionPolicy.ts). */

const denied = (text: RegExp): Rule["find"] =>
  creationFails(
    new RegExp(
      `ValidatingAdmissionPolicy 'capz-windows-\\w+'[^]*?denied request: (?<why>[^]*?${text.source}[^]*)`,
    ),
  );

const common = {
  stage: "pods",
  source: "platform/workloads/admissionPolicy.ts; docs/workloads.md",
} as const;

export const ownPolicyRules: readonly Rule[] = [
  {
    ...common,
    id: "own-policy-system",
    symptom:
      "ValidatingAdmissionPolicy capz-windows-...: the pod may land on a node of another operating system",
    cause:
      "The policy of the stack refuses the Pods of {kind} {name}, which do not say on which operating system they run.",
    remedy: ["nodeSelector: {kubernetes.io/os: windows}   # or linux; in the template of {kind} {name}"],
    find: denied(/the pod may land on a node of another operating system/),
  },
  {
    ...common,
    id: "own-policy-image",
    symptom: "ValidatingAdmissionPolicy capz-windows-...: the image is for another release of Windows",
    cause:
      "The policy of the stack refuses the Pods of {kind} {name}, which could not start on the nodes: {why}.",
    remedy: [
      "An image for the Windows of the nodes, such as mcr.microsoft.com/windows/servercore:ltsc2022 for build 10.0.20348, in the template of {kind} {name}.",
      "capz-windows:windowsPools: {NEW-POOL: {windowsServer: '2025'}}   # or nodes for the image; the Pods then need the nodeSelector that the message names",
    ],
    find: denied(/is for another release of Windows/),
  },
  {
    ...common,
    id: "own-policy-host-process",
    symptom:
      "ValidatingAdmissionPolicy capz-windows-...: HostProcess containers are administrators of the node",
    cause:
      "The policy of the stack refuses the Pods of {kind} {name}: HostProcess containers are administrators of their node, and the namespace {podNamespace} is not among those that may have them.",
    remedy: [
      "capz-windows:workloads: {hostProcessNamespaces: [{podNamespace}]}   # only if whoever may create Pods there may administer the nodes",
    ],
    find: denied(/HostProcess containers are administrators of the node/),
  },
];
