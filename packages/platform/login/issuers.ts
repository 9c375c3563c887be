/** Who may log in to the API server with tokens: issuers, and the names that their users and groups have in the cluster. */

/** An issuer of OpenID Connect whose tokens the API server accepts. */
export interface IssuerArgs {
  /** URL that begins with https://, exactly as in its tokens. */
  issuerUrl: string;
  /** Clients whose tokens are accepted, at least one. */
  audiences: string[];
  /** Claim with the name of a user. */
  usernameClaim: string;
  /** What is put before it, so that no token has a name that begins with system:. */
  usernamePrefix: string;
  /** Claim with the groups of a user. */
  groupsClaim: string;
  /** What is put before each of them. */
  groupsPrefix: string;
  /** Certificate authority of the issuer, in PEM. Default: those that the machine trusts. */
  certificateAuthority?: string | undefined;
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
  readonly oidc: readonly IssuerArgs[];
}

const entraPrefix = "entra:";

const entraHost = "https://login.microsoftonline.com";

/** The issuer of a tenant's tokens of version 2.0 (learn.microsoft.com/entra/identity-platform/access-token-claims-reference). */
const entraIssuer = ({ clientId, tenantId, usernameClaim }: Entra, tenant: string): IssuerArgs => ({
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
export const entraTenant = ({ issuerUrl }: Pick<IssuerArgs, "issuerUrl">): string | undefined =>
  issuerUrl.startsWith(`${entraHost}/`) ? issuerUrl.split("/")[3] : undefined;
