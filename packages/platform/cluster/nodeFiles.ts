import { posix } from "node:path";
import { at, list, text } from "capz-windows-kit/untyped";
import { readYamlStream } from "../manifests/yamlStream";
import type { Argument } from "./argumentValues";

/**
 * Files by which a pool changes the programs that run its nodes. Commands of pools may do the same, and so may a unit or a task
 * of one's own, which does not differ from them; these files look like less. Sources: kubeadm v1.36 app/util/patches, kubelet's
 * drop-ins of the Debian package, containerd's ops.md and hosts.md, cloudbase-init's tutorial, sshd_config(5).
 */

/** As the node resolves it: with slashes, without a drive, dots that Windows leaves out, its short names, and links of Linux. */
const placeOf = (path: string): string =>
  posix
    .normalize(path.trim().toLowerCase().replaceAll("\\", "/"))
    .replace(/^(?:\/[^/]+\/)?[a-z][:$](?=\/)/, "")
    .replace(/[. ]+(?=\/|$)/g, "")
    .replace(/^\/progra~1\//, "/program files/")
    .replace(/^\/progra~\d\//, "/programdata/")
    .replace(/^\/(?:(?:usr\/|usr\/local\/)?lib|run)\/systemd\//, "/etc/systemd/");

/** kubelet's own, which has arguments, or fields of its configuration. */
const ofKubelet =
  /^\/(?:etc\/kubernetes|k)\/patches\/kubeletconfiguration|^\/var\/lib\/kubelet\/(?:config|[^/]*\.conf\.d\/|[^/]*\.env$)|^\/etc\/(?:default|sysconfig)\/kubelet$|^\/etc\/systemd\/system\/(?:kubelet\.)?service(?:\.d\/|$)|^\/k\/[^/]*kubelet[^/]*\.ps1$/;

const places: readonly (readonly [place: RegExp, what: string])[] = [
  [/^\/etc\/kubernetes\/manifests\//, "kubelet runs it as a pod that no admission sees"],
  [ofKubelet, "it is configuration of kubelet, which decides who may run commands on the node"],
  [/^\/(?:etc\/kubernetes|k)\/patches\//, "kubeadm merges it into what it writes"],
  [
    /^\/etc\/kubernetes\/|^\/var\/lib\/kubelet\//,
    "kubeadm or kubelet reads it, or a key and a login stand there",
  ],
  [
    /^\/etc\/containerd\/|^\/(?:program files|programdata)\/containerd\/|^\/etc\/systemd\/system\/containerd\.service/,
    "it is configuration of containerd, or its program: from where images come, and what runs them",
  ],
  [/^\/etc\/cni\/|^\/opt\/cni\//, "the container runtime runs what it says for each pod"],
  [
    /^\/(?:usr\/|usr\/local\/|opt\/)?s?bin\/(?:kube\w+|containerd[\w-]*|runc|crictl|ctr)$|^\/k\/[^/]*\.exe$/,
    "it replaces a program of the node",
  ],
  [/^\/etc\/cloud\/|^\/var\/lib\/cloud\//, "cloud-init reads or runs it"],
  [/^\/program files\/cloudbase solutions\//, "cloudbase-init reads or runs it"],
  [
    /^\/etc\/(?:ssh\/|sudoers|pam\.d\/|passwd|shadow|group|security\/|ld\.so\.)|\/\.ssh\/|^\/programdata\/ssh\//,
    "it decides who logs in to the node, and as whom",
  ],
];

/** What a file at this path changes of the node's own programs; `undefined` for one that is only the user's. */
export const changedBy = (path: string): string | undefined =>
  places.find(([place]) => place.test(placeOf(path)))?.[1];

/** Fields of kubelet's configuration, with the arguments that say the same. */
const fields: Readonly<Record<string, string>> = {
  "authentication.anonymous.enabled": "anonymous-auth",
  "authentication.x509.clientCAFile": "client-ca-file",
  "authorization.mode": "authorization-mode",
  readOnlyPort: "read-only-port",
  staticPodURL: "manifest-url",
};

const scalar = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** The steps of a JSON patch as a mapping of paths with dots to values. */
const stepsOf = (patch: unknown): Record<string, unknown> =>
  Object.fromEntries(list(patch).map((step) => [text(step.path).slice(1).replaceAll("/", "."), step.value]));

/** What a configuration, or a patch of it, says in a field; a step of a patch may replace a mapping around it. */
function fieldOf(configuration: unknown, steps: Readonly<Record<string, unknown>>, field: string): string {
  const names = field.split(".");
  const around = names.map((_, index) => names.slice(0, index + 1).join("."));
  const found = around.flatMap((path, index) =>
    path in steps ? [at(steps[path], ...names.slice(index + 1))] : [],
  );
  return scalar(found.at(-1) ?? at(configuration, ...names));
}

/** The arguments that a file gives kubelet, as options in it or as fields of its configuration. */
export function kubeletArgumentsIn(path: string, content: string): Argument[] {
  if (!ofKubelet.test(placeOf(path))) {
    return [];
  }
  // Without comments, and values that only the node knows.
  const code = content.replace(/^[ \t]*#.*$/gm, "");
  const options = [...code.matchAll(/--([a-z][a-z-]{1,60})[=\s]+["']?([^\s"',$][^\s"',]*)/g)];
  const configured = readYamlStream(content).values.flatMap((document) => {
    const steps = stepsOf(document);
    return Object.entries(fields).map(([field, name]) => ({ name, value: fieldOf(document, steps, field) }));
  });
  return [...options.map(([, name = "", value = ""]) => ({ name, value })), ...configured].filter(
    ({ value }) => value !== "",
  );
}
