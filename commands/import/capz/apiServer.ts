import { join, relative } from "node:path/posix";
import { defaultAuditLog } from "capz-windows-platform/audit/log";
import type { KubeletCertificates } from "capz-windows-platform/cluster/kubeletCertificates";
import { at, isRecord, list, text, textAt, type Plain } from "capz-windows-kit/untyped";
import { withoutUndefined } from "capz-windows-kit/without";
import { unlessDefault, type LeftOut } from "../findings";
import { numberIn, yamlIn } from "../values";

/** What a source has as arguments and files of its API server, and a stack file as keys of the control plane. */

/** Names and values of the arguments. */
type Arguments = ReadonlyMap<string, string>;

/** The policy that the API server reads: through a mount, its path on the machine may be another one. */
function policyIn(path: string, spec: unknown): Plain | undefined {
  const inside = (mountPath: unknown): string => relative(text(mountPath) || "/none", path);
  const volume = list(at(spec, "clusterConfiguration", "apiServer", "extraVolumes")).find(
    ({ mountPath }) => !inside(mountPath).startsWith(".."),
  );
  const onMachine = volume === undefined ? path : join(text(volume.hostPath), inside(volume.mountPath));
  const policy = yamlIn(
    textAt(
      list(at(spec, "files")).find((file) => file.path === onMachine),
      "content",
    ),
  );
  return isRecord(policy) && Array.isArray(policy.rules) ? policy : undefined;
}

/** The audit log; none without a policy or a place (k8s.io/apiserver v0.35 pkg/server/options/audit.go). */
function auditOf(spec: unknown, args: Arguments, leftOut: LeftOut[]): Plain | undefined {
  const path = args.get("audit-policy-file");
  if (path === undefined || !(args.has("audit-log-path") || args.has("audit-webhook-config-file"))) {
    return undefined;
  }
  const policy = policyIn(path, spec);
  if (policy === undefined) {
    leftOut.push({
      from: `KubeadmControlPlane audit-policy-file ${path}`,
      why: "the policy is not in the source, or no YAML with rules; the stack has the built-in one",
      instead: "controlPlane.audit.policy or controlPlane.audit.policyFile",
    });
  }
  const limits = {
    maxAgeDays: numberIn(args.get("audit-log-maxage")),
    maxBackups: numberIn(args.get("audit-log-maxbackup")),
    maxSizeMiB: numberIn(args.get("audit-log-maxsize")),
  };
  return withoutUndefined({ ...unlessDefault(limits, defaultAuditLog), policy });
}

/** The issuer that the API server trusts, with what it makes of flags that are missing (k8s.io/apiserver v0.35). */
function loginOf(spec: unknown, args: Arguments, leftOut: LeftOut[]): Plain | undefined {
  const flag = (name: string): string | undefined => args.get(`oidc-${name}`);
  const [issuerUrl, client] = [flag("issuer-url"), flag("client-id")];
  if (issuerUrl === undefined || client === undefined) {
    return undefined;
  }
  for (const name of ["required-claim", "signing-algs"].filter((one) => flag(one) !== undefined)) {
    leftOut.push({
      from: `KubeadmControlPlane oidc-${name} ${flag(name) ?? ""}`,
      why: "the program has no key for it, so tokens are accepted that the source refuses",
      instead: "a separate application at the issuer, for this cluster alone",
    });
  }
  const [claim, groups] = [flag("username-claim") ?? "sub", flag("groups-claim")];
  // "-" is no prefix; without the flag every claim but email has the issuer.
  const prefix = flag("username-prefix") ?? (claim === "email" ? "-" : `${issuerUrl}#`);
  // Names of users and groups are what bindings name, so another prefix is another user.
  const prefixOf = (whose: string, given: string | undefined): string | undefined => {
    if (given === undefined || /[:/#@-]$/.test(given)) {
      return given;
    }
    leftOut.push({
      from: `KubeadmControlPlane prefix of ${whose} ${JSON.stringify(given)}`,
      why: `a prefix ends in : / # @ or -, so that no token can have a name of Kubernetes itself; with "oidc:" ${whose} have other names than in your bindings`,
      instead: "controlPlane.authentication.administrators and readers, and bindings with the new names",
    });
    return undefined;
  };
  const authority = list(at(spec, "files")).find(({ path }) => path === flag("ca-file"));
  const issuer = {
    ...{ issuerUrl, audiences: [client] },
    usernameClaim: claim === "sub" ? undefined : claim,
    groupsClaim: groups === "groups" ? undefined : groups,
    certificateAuthority: textAt(authority, "content") || undefined,
    usernamePrefix: prefixOf("users", prefix === "-" ? "" : prefix),
    groupsPrefix: prefixOf("groups", groups && (flag("groups-prefix") ?? "")),
  };
  return { oidc: [withoutUndefined(issuer)] };
}

/** How kubelets get their serving certificates; nothing where they sign their own. */
function kubeletCertificatesOf(spec: unknown, args: Arguments): KubeletCertificates | undefined {
  if (!list(at(spec, "files")).some((file) => at(file, "content", "serverTLSBootstrap") === true)) {
    return undefined;
  }
  return args.has("kubelet-certificate-authority") ? "verified" : "issued";
}

/** @param spec - bootstrap data of the control plane, in the form of v1beta2 */
export function apiServerKeys(spec: unknown) {
  const extraArgs = list(at(spec, "clusterConfiguration", "apiServer", "extraArgs"));
  const args = new Map(extraArgs.map(({ name, value }) => [text(name), text(value)]));
  const leftOut: LeftOut[] = [];
  return {
    audit: auditOf(spec, args, leftOut),
    authentication: loginOf(spec, args, leftOut),
    kubeletCertificates: kubeletCertificatesOf(spec, args),
    leftOut,
  };
}
