import { present } from "capz-windows-kit/present";
import { at, list, strings, text, textAt } from "capz-windows-kit/untyped";
import { containersOf, hasHostProcess } from "../workloads/podSpec";

/** What a pod may do to its node, as Pod Security Standards count it (kubernetes.io/docs/concepts/security/pod-security-standards). */

/** The pod that an object makes; `undefined` for an object without one. */
export function podOf(object: { readonly kind: string; readonly spec?: unknown }): unknown {
  const { kind, spec } = object;
  return kind === "Pod"
    ? spec
    : (at(spec, "jobTemplate", "spec", "template", "spec") ?? at(spec, "template", "spec"));
}

/** The types of SELinux that the level baseline lets in. */
const containerTypes = ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"];

/** Profiles of the kernel that a security context switches off, which the level baseline forbids. */
const openProfiles = (context: unknown): string[] => [
  ...["seccompProfile", "appArmorProfile"].filter((key) => textAt(context, key, "type") === "Unconfined"),
  ...present(
    textAt(context, "procMount") === "Unmasked" && "procMount",
    !containerTypes.includes(textAt(context, "seLinuxOptions", "type")) && "seLinuxOptions",
  ),
];

/**
 * Settings of the kernel that the level baseline lets in (Kubernetes v1.36 k8s.io/pod-security-admission
 * policy/check_sysctls.go).
 */
const harmlessSysctl =
  /^(kernel\.shm_rmid_forced|net\.ipv4\.(ip_local_port_range|ip_local_reserved_ports|ip_unprivileged_port_start|ping_group_range|tcp_(fin_timeout|keepalive_(intvl|probes|time)|rmem|syncookies|wmem)))$/;

/** Other settings of the kernel, whose names may have slashes. */
const sysctlsOf = (pod: unknown): string[] =>
  list(at(pod, "securityContext", "sysctls"))
    .map((one) => textAt(one, "name"))
    .filter((name) => name !== "" && !harmlessSysctl.test(name.replaceAll("/", ".")));

const hostPortsOf = (container: unknown): string[] =>
  list(at(container, "ports")).flatMap(({ hostPort }) =>
    typeof hostPort === "number" && hostPort > 0 ? [String(hostPort)] : [],
  );

/** "privileged", "network of the node", ...: nothing for a pod that stays within its containers. */
export function privilegesOf(pod: unknown): string[] {
  const containers = containersOf(pod);
  const some = (...path: readonly string[]): boolean =>
    containers.some((container) => at(container, "securityContext", ...path) === true);
  const folders = list(at(pod, "volumes")).flatMap((volume) => text(at(volume, "hostPath", "path")) || []);
  const capabilities = containers.flatMap((container) =>
    strings(at(container, "securityContext", "capabilities", "add")),
  );
  const isHostProcess = hasHostProcess(pod);
  // A pod in the network of its node has these anyway.
  const ports = at(pod, "hostNetwork") === true ? [] : containers.flatMap(hostPortsOf);
  const sysctls = sysctlsOf(pod);
  const open = [pod, ...containers].flatMap((one) => openProfiles(at(one, "securityContext")));
  return [
    ...(isHostProcess ? ["HostProcess: a process of Windows itself"] : []),
    ...(some("privileged") ? ["privileged: everything on the node"] : []),
    ...(at(pod, "hostNetwork") === true && !isHostProcess ? ["network of the node"] : []),
    ...(ports.length > 0 ? [`ports of the node: ${[...new Set(ports)].join(", ")}`] : []),
    ...(at(pod, "hostPID") === true ? ["processes of the node"] : []),
    ...(at(pod, "hostIPC") === true ? ["memory that processes of the node share"] : []),
    ...(folders.length > 0 ? [`folders of the node: ${[...new Set(folders)].join(", ")}`] : []),
    ...(capabilities.length > 0 ? [`capabilities: ${[...new Set(capabilities)].join(", ")}`] : []),
    ...(sysctls.length > 0 ? [`settings of the kernel: ${sysctls.join(", ")}`] : []),
    ...(open.length > 0 ? [`less between it and the kernel: ${[...new Set(open)].join(", ")}`] : []),
  ];
}
