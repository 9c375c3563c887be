import type { IssuerArgs } from "capz-windows-platform/login/issuers";

/** Login to the API server with tokens, from Kubernetes v1.30 on. */
export interface AuthenticationArgs {
  /** At least one. */
  issuers: IssuerArgs[];
}
