import { minor, valid } from "semver";
import { firstWithAuthentication } from "../../../bootstrap/authentication";
import { authentication as schema } from "../../../config/schema/authentication";
import { withoutUndefined } from "../../../tools/without";
import { at, list, text, textAt, type Plain } from "../../../tools/untyped";
import type { LeftOut } from "../findings";
import { present } from "../../../tools/present";

/** The issuer of a source's API server, as keys of a stack file. */

/** What kube-apiserver makes of flags that are missing (k8s.io/apiserver v0.35 pkg/server/options/authentication.go). */
const defaultClaim = "sub";

const key = "controlPlane.authentication";

/** Names of users and groups are what bindings name, so another prefix is another user. */
const renamed = (whose: string, before: string, after: string): LeftOut => ({
  from: `KubeadmControlPlane prefix of ${whose} ${JSON.stringify(before)}`,
  why: `a prefix has at least a character and ends in : / # @ or -, so that no token can have a name of Kubernetes itself; with "${after}" ${whose} have other names than in your bindings`,
  instead: `${key}.administrators and readers, and bindings with the new names`,
});

/**
 * The key `authentication` of the control plane; none where the API server trusts no issuer by flags.
 * @param controlPlane - spec of the KubeadmControlPlane, in the form of v1beta2
 */
export function loginOf(
  controlPlane: Plain,
  kubernetesVersion: string,
): { readonly authentication?: Plain; readonly leftOut: readonly LeftOut[] } {
  const spec = controlPlane.kubeadmConfigSpec;
  const args = list(at(spec, "clusterConfiguration", "apiServer", "extraArgs"));
  const flags = new Map(args.map(({ name, value }) => [text(name), text(value)]));
  const flag = (name: string): string | undefined => flags.get(`oidc-${name}`);
  const [issuerUrl, client] = [flag("issuer-url"), flag("client-id")];
  if (issuerUrl === undefined || client === undefined) {
    return { leftOut: [] };
  }
  if (valid(kubernetesVersion) !== null && minor(kubernetesVersion) < firstWithAuthentication) {
    return {
      leftOut: [
        {
          from: `KubeadmControlPlane oidc-issuer-url ${issuerUrl}`,
          why: `${key} needs Kubernetes v1.${firstWithAuthentication}`,
          instead:
            'controlPlane.overrides with the arguments oidc-* (docs/operations.md, "Login by Entra ID or OIDC")',
        },
      ],
    };
  }
  const claim = flag("username-claim") ?? defaultClaim;
  // "-" is no prefix; without the flag every claim but email has the issuer.
  const prefix = flag("username-prefix") ?? (claim === "email" ? "-" : `${issuerUrl}#`);
  const prefixes = {
    usernamePrefix: prefix === "-" ? "" : prefix,
    groupsPrefix: flag("groups-claim") === undefined ? undefined : (flag("groups-prefix") ?? ""),
  };
  const authority = flag("ca-file");
  const file = list(at(spec, "files")).find(({ path }) => path === authority);
  const issuer = (more: Plain): Plain =>
    withoutUndefined({
      ...{ issuerUrl, audiences: [client] },
      usernameClaim: claim === defaultClaim ? undefined : claim,
      groupsClaim: flag("groups-claim") === "groups" ? undefined : flag("groups-claim"),
      certificateAuthority: file === undefined ? undefined : textAt(file, "content") || undefined,
      ...more,
    });
  const fits = (name: "usernamePrefix" | "groupsPrefix", value: string): boolean =>
    schema.safeParse({ oidc: [issuer({ [name]: value })] }).success;
  const [users, groups] = [prefixes.usernamePrefix, prefixes.groupsPrefix];
  const kept = {
    usernamePrefix: fits("usernamePrefix", users) ? users : undefined,
    groupsPrefix: groups !== undefined && fits("groupsPrefix", groups) ? groups : undefined,
  };
  return {
    authentication: { oidc: [issuer(kept)] },
    leftOut: present(
      kept.usernamePrefix === undefined && renamed("users", users, "oidc:"),
      groups !== undefined && kept.groupsPrefix === undefined && renamed("groups", groups, "oidc:"),
      ...["required-claim", "signing-algs"].flatMap((name): LeftOut[] =>
        present(
          flag(name) !== undefined && {
            from: `KubeadmControlPlane oidc-${name} ${flag(name) ?? ""}`,
            why: "the program has no key for it, so tokens are accepted that the source refuses",
            instead: "a separate application at the issuer, for this cluster alone",
          },
        ),
      ),
      authority !== undefined &&
        file === undefined && {
          from: `KubeadmControlPlane oidc-ca-file ${authority}`,
          why: "the certificate is not in the source",
          instead: `${key}.oidc[0].certificateAuthority`,
        },
    ),
  };
}
