import { minor } from "semver";
import { present } from "capz-windows-kit/present";
import { authenticationText, firstWithAuthentication } from "../../bootstrap/authentication";
import { limits } from "../../bootstrap/limits";
import { issuersOf } from "capz-windows-platform/login/issuers";
import { formatCount, type Problem, type Warning } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { certificateFault } from "./egress";

/** Login by tokens: its issuers, and names that only they can give. */

const place = "controlPlane.authentication";

const nested = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

type Located = ReturnType<typeof issuersOf>[number];

/** The API server does not start with one issuer twice, and two of the same prefix could each name the other's users. */
function pairProblems({ key, issuer }: Located, before: readonly Located[]): Problem[] {
  const at = `${place}.${key}`;
  const same = before.find((other) => other.issuer.issuerUrl === issuer.issuerUrl);
  if (same !== undefined) {
    return [
      {
        path: at,
        uses: [place],
        problem: `the same issuer as ${same.key}`,
        allowed: "each issuer once, with all its audiences",
      },
    ];
  }
  return (["usernamePrefix", "groupsPrefix"] as const).flatMap((field): Problem[] => {
    const other = before.find((one) => nested(one.issuer[field], issuer[field]));
    return present(
      other !== undefined && {
        path: `${at}.${field}`,
        value: issuer[field],
        uses: [place],
        problem: `${other.key} has ${other.issuer[field]}: their names do not show whose ${field === "usernamePrefix" ? "users" : "groups"} these are, and each issuer could name those of the other`,
        allowed: "prefixes of which none begins with another",
      },
    );
  });
}

function subjectProblems({ controlPlane: { authentication }, azure }: Settings): Problem[] {
  if (authentication === undefined) {
    return [];
  }
  const issuers = issuersOf(authentication, azure.tenantId).map(({ issuer }) => issuer);
  const prefixes = {
    users: [...new Set(issuers.map(({ usernamePrefix }) => usernamePrefix))],
    groups: [...new Set(issuers.map(({ groupsPrefix }) => groupsPrefix))],
  };
  return (["administrators", "readers"] as const).flatMap((role) =>
    (["groups", "users"] as const).flatMap((kind) =>
      authentication[role][kind].flatMap((name, index): Problem[] => {
        const path = `${place}.${role}.${kind}[${index}]`;
        const rest = prefixes[kind].find((one) => name.startsWith(one) && name.length > one.length);
        return present(
          rest === undefined && {
            path,
            value: name,
            uses: [place],
            problem: "begins with the prefix of no issuer, so no login with a token gives this name",
            allowed: `names as the API server has them: ${prefixes[kind].map((one) => `${one}NAME`).join(" or ")}`,
          },
        );
      }),
    ),
  );
}

/** The issuer of the cluster's own service accounts (bootstrap/controlPlane.ts), which the API server lets no file name. */
const serviceAccounts = "https://kubernetes.default.svc.cluster.local";

/** Versions without such a file, and issuers with which the API server does not start or which are not what they seem. */
export function authenticationRules(settings: Settings): Problem[] {
  const { controlPlane, azure, kubernetesVersion } = settings;
  const { authentication } = controlPlane;
  if (authentication === undefined) {
    return [];
  }
  const located = issuersOf(authentication, azure.tenantId);
  if (minor(kubernetesVersion) < firstWithAuthentication) {
    return [
      {
        path: place,
        uses: [place, "kubernetesVersion"],
        problem: `the API server of ${kubernetesVersion} reads no file with issuers`,
        allowed: `Kubernetes v1.${firstWithAuthentication} or newer; before, controlPlane.overrides with oidc-issuer-url among the arguments of the API server`,
      },
    ];
  }
  if (located.length === 0) {
    return [
      {
        path: place,
        problem: "names no issuer",
        allowed: "entra, oidc, or both",
      },
    ];
  }
  const text = authenticationText({ issuers: located.map(({ issuer }) => issuer) }, kubernetesVersion);
  // In base64 where YAML or Jinja would alter it.
  const length = Array.from(text).length;
  return present(
    ...located.flatMap((one, index) => pairProblems(one, located.slice(0, index))),
    ...located.flatMap(({ key, issuer }): Problem[] => {
      const at = `${place}.${key}`;
      const fault =
        issuer.certificateAuthority === undefined
          ? undefined
          : certificateFault(
              issuer.certificateAuthority,
              "the one that signed the certificate of the issuer is enough",
            );
      return present(
        issuer.issuerUrl.replace(/\/$/, "") === serviceAccounts && {
          path: `${at}.issuerUrl`,
          value: issuer.issuerUrl,
          uses: [place],
          problem: "this is the issuer of the cluster's own service accounts, whose tokens it accepts anyway",
          allowed: "another issuer",
        },
        fault !== undefined && {
          path: `${at}.certificateAuthority`,
          uses: [place],
          problem: fault,
          allowed: "one certificate of a certificate authority, from -----BEGIN CERTIFICATE----- on",
        },
      );
    }),
    ...subjectProblems(settings),
    length > limits.content && {
      path: place,
      problem: `the file with the issuers has ${formatCount(length)} characters`,
      allowed: `${formatCount(limits.content)} characters, which is Cluster API's limit for a file`,
    },
  );
}

/** Logins that give no rights at all. */
export const authenticationWarnings = ({ controlPlane: { authentication } }: Settings): Warning[] =>
  present<Warning>(
    authentication !== undefined &&
      [authentication.administrators, authentication.readers].every(
        ({ groups, users }) => groups.length + users.length === 0,
      ) && {
        path: place,
        message:
          "whoever logs in with a token has no rights: name groups or users in administrators and readers, or bind them to roles in the cluster",
      },
  );
