/** Who may log in to the API server with tokens: issuers, and the names that their users and groups have in the cluster. */

/** An issuer of tokens, as the API server trusts it. */
export interface Issuer {
  /** As in its tokens, without the path of its discovery document. */
  readonly issuerUrl: string;
  /** A token is for one of these. The first is the client that people log in to. */
  readonly audiences: readonly string[];
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  /** Certificate in PEM. Default: those that the machine trusts. */
  readonly certificateAuthority?: string | undefined;
}

/** Microsoft Entra as an issuer. */
export interface Entra {
  readonly clientId: string;
  readonly tenantId?: string | undefined;
  readonly usernameClaim: string;
}

/** Names as the API server has them: with the prefix of their issuer. */
export interface Subjects {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** Who is administrator of the cluster, and who reads it. */
export interface LoginRights {
  readonly administrators: Subjects;
  readonly readers: Subjects;
}

export interface Login extends LoginRights {
  readonly entra?: Entra | undefined;
  readonly oidc: readonly Issuer[];
}

export const entraPrefix = "entra:";

const entraHost = "https://login.microsoftonline.com";

/** The issuer of a tenant's tokens of version 2.0 (learn.microsoft.com/entra/identity-platform/access-token-claims-reference). */
const entraIssuer = ({ clientId, tenantId, usernameClaim }: Entra, tenant: string): Issuer => ({
  issuerUrl: `${entraHost}/${tenantId ?? tenant}/v2.0`,
  audiences: [clientId],
  usernameClaim,
  usernamePrefix: entraPrefix,
  groupsClaim: "groups",
  groupsPrefix: entraPrefix,
});

/**
 * All issuers, with their places in the stack file.
 * @param tenant - of the stack
 */
export const issuersOf = ({ entra, oidc }: Pick<Login, "entra" | "oidc">, tenant: string) => [
  ...(entra === undefined ? [] : [{ key: "entra", issuer: entraIssuer(entra, tenant) }]),
  ...oidc.map((issuer, index) => ({ key: `oidc[${index}]`, issuer })),
];

/** The tenant of an issuer that is Microsoft Entra. */
export const entraTenant = ({ issuerUrl }: Pick<Issuer, "issuerUrl">): string | undefined =>
  issuerUrl.startsWith(`${entraHost}/`) ? issuerUrl.split("/")[3] : undefined;
