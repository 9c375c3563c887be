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

/** Login to the API server with tokens, from Kubernetes v1.30 on. */
export interface AuthenticationArgs {
  /** At least one. */
  issuers: IssuerArgs[];
}
