import { present } from "capz-windows-kit/present";
import { minor } from "semver";
import { nestsVirtualMachines } from "capz-windows-platform/machines/nestedVirtualization";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { firstWithPolicies } from "capz-windows-platform/workloads/admissionPolicy";
import { windowsPoolsOf } from "../pools";
import type { Settings } from "../settings";

const path = "workloads";

/** Sizes without virtual machines of their own. */
const sizeProblems = (settings: Settings): Problem[] =>
  windowsPoolsOf(settings)
    .filter(({ pool }) => settings.workloads.hyperV && nestsVirtualMachines(pool.vmSize) === false)
    .map((windows) => ({
      path: `${windows.path}.vmSize`,
      value: windows.pool.vmSize,
      uses: [windows.path, `${path}.hyperV`],
      problem:
        "workloads.hyperV is true, and machines of this size cannot have virtual machines, so no pod with Hyper-V isolation would start",
      allowed:
        "sizes of D and E from v3 on, or F v2; of AMD from v5 on; none of B, A, Arm or confidential computing",
    }));

/** Options that cannot work, or would have no effect. */
export function workloadRules(settings: Settings): Problem[] {
  const { workloads, windowsPools, flavor, kubernetesVersion } = settings;
  const { runtimeClasses, hyperV, policy, hostProcessNamespaces } = workloads;
  const hasPools = Object.keys(windowsPools).length > 0;
  const problem = (
    key: keyof Settings["workloads"],
    wrong: boolean,
    { uses, ...text }: Pick<Problem, "problem" | "allowed"> & { readonly uses: readonly string[] },
  ): Problem[] =>
    present(wrong && { path: `${path}.${key}`, value: workloads[key], uses: [path, ...uses], ...text });
  return [
    ...problem("runtimeClasses", runtimeClasses && flavor === "dockershim", {
      uses: ["flavor"],
      problem: "Docker knows no other runtime than its own, so a pod with a RuntimeClass would not start",
      allowed: "only with the flavor containerd",
    }),
    ...problem("runtimeClasses", runtimeClasses && !hasPools, {
      uses: ["windowsPools"],
      problem: "the stack has no Windows pool, and the classes are those of its releases",
      allowed: "only with Windows pools",
    }),
    ...problem("hyperV", hyperV && !runtimeClasses, {
      uses: ["flavor", "windowsPools"],
      problem: "pods request Hyper-V isolation with a RuntimeClass, and runtimeClasses is false",
      allowed: "only with runtimeClasses",
    }),
    ...problem("policy", policy !== "none" && minor(kubernetesVersion) < firstWithPolicies, {
      uses: ["kubernetesVersion"],
      problem: `Kubernetes ${kubernetesVersion} has no ValidatingAdmissionPolicy`,
      allowed: `none; the others from Kubernetes 1.${firstWithPolicies} on`,
    }),
    ...problem("policy", policy !== "none" && !hasPools, {
      uses: ["windowsPools"],
      problem: "the stack has no Windows pool, and the policy is about pods on Windows nodes",
      allowed: "none; the others with Windows pools",
    }),
    ...problem("hostProcessNamespaces", hostProcessNamespaces.length > 0 && policy === "none", {
      uses: ["kubernetesVersion", "windowsPools"],
      problem: "not used with policy: none, which stops no pod",
      allowed: "only with policy: audit, warn or deny",
    }),
    ...sizeProblems(settings),
  ];
}

/** What is not known before pods with Hyper-V isolation start. */
export const workloadWarnings = (settings: Settings): Warning[] =>
  windowsPoolsOf(settings).flatMap(({ path: place, pool: { vmSize, windowsServer } }): Warning[] =>
    !settings.workloads.hyperV
      ? []
      : present(
          nestsVirtualMachines(vmSize) === undefined && {
            path: `${place}.vmSize`,
            message: `for pods with Hyper-V isolation ${vmSize} must support nested virtualization, which its name does not say: see the page of its series in the Azure documentation`,
          },
          windowsServer === "2025" && {
            path: `${place}.windowsServer`,
            message:
              "Hyper-V isolation on Windows Server 2025 needs the pause image 3.10.2, which images of image-builder have from v0.1.51 of May 2026 on; `ctr -n k8s.io images list` on a node shows it",
          },
        ),
  );
