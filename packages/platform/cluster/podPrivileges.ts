import { present } from "capz-windows-kit/present";
import { at, isRecord, list, mappingsIn, type Plain, strings, textAt } from "capz-windows-kit/untyped";
import { readYamlStream } from "../manifests/yamlStream";

/** What a pod may do to its node, as Pod Security Standards count it (kubernetes.io/docs/concepts/security/pod-security-standards). */

/** Kinds that say what pods may have, or what fields there are, and volumes, which are read by themselves. */
const makesNoPod =
  /^(?:CustomResourceDefinition|PersistentVolume|PodSecurityPolicy|SecurityContextConstraints|ConfigMap|Secret)$/;

/** A pod, or a part of it, that a text in an object holds, as in a Workflow of Argo. */
const podsInText = (value: unknown): readonly unknown[] =>
  typeof value === "string" ? readYamlStream(value).values : [];

/**
 * What may be a pod or a part of one in an object of any kind: found by its fields, because whoever writes a kind of their own
 * makes pods of it.
 */
export function podParts(object: unknown): Plain[] {
  if (makesNoPod.test(textAt(object, "kind")) || textAt(object, "apiVersion").startsWith("constraints.")) {
    return [];
  }
  const fields = Object.entries(isRecord(object) ? object : {}).filter(
    ([key]) => !/^(?:metadata|status)$/.test(key),
  );
  const parts = mappingsIn(fields);
  return [...parts, ...parts.flatMap(({ podSpecPatch }) => mappingsIn(podsInText(podSpecPatch)))];
}

/** The types of SELinux that the level baseline lets in. */
const containerTypes = ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"];

/** Profiles of the kernel that a security context switches off, which the level baseline forbids. */
const openProfiles = (context: Plain): string[] => [
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
const sysctlsOf = (context: Plain): string[] =>
  list(context.sysctls)
    .map((one) => textAt(one, "name"))
    .filter((name) => name !== "" && !harmlessSysctl.test(name.replaceAll("/", ".")));

const hostPortsOf = (container: Plain): string[] =>
  list(container.ports).flatMap(({ hostPort }) =>
    typeof hostPort === "number" && hostPort > 0 ? [String(hostPort)] : [],
  );

const contextsOf = (part: Plain): Plain[] =>
  Object.entries(part).flatMap(([key, value]) =>
    /securityContext$/i.test(key) && isRecord(value) ? [value] : [],
  );

const named = (what: string, names: readonly string[]): string[] =>
  present(names.length > 0 && `${what}: ${[...new Set(names)].join(", ")}`);

/** "privileged", "network of the node", ...: nothing for parts of pods that stay within their containers. */
export function privilegesOf(parts: readonly Plain[]): string[] {
  const contexts = parts.flatMap(contextsOf);
  const some = (key: string): boolean => parts.some((part) => part[key] === true);
  const isHostProcess = contexts.some((context) => at(context, "windowsOptions", "hostProcess") === true);
  const isPrivileged = contexts.some(({ privileged }) => privileged === true);
  const texts = (...path: readonly string[]): string[] =>
    parts.flatMap((part) => textAt(part, ...path) || []);
  return [
    ...present(
      isHostProcess && "HostProcess: a process of Windows itself",
      isPrivileged && "privileged: everything on the node",
      some("hostNetwork") && !isHostProcess && "network of the node",
    ),
    // A pod in the network of its node has these anyway.
    ...(some("hostNetwork") ? [] : named("ports of the node", parts.flatMap(hostPortsOf))),
    ...present(
      some("hostPID") && "processes of the node",
      some("hostIPC") && "memory that processes of the node share",
    ),
    ...named("folders of the node", texts("hostPath", "path")),
    ...named("programs of the node that mount", texts("flexVolume", "driver")),
    ...named(
      "capabilities",
      contexts.flatMap((context) => strings(at(context, "capabilities", "add"))),
    ),
    ...named("settings of the kernel", contexts.flatMap(sysctlsOf)),
    ...named("less between it and the kernel", contexts.flatMap(openProfiles)),
  ];
}
