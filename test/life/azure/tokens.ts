import type { Answer } from "./resource";

const prefix = "simulated:";

const tokenOf = (form: string): string => `${prefix}${new URLSearchParams(form).get("client_id") ?? ""}`;

/** Whose token a request has. */
export const principalOf = (authorization = ""): string => authorization.replace(`Bearer ${prefix}`, "");

/**
 * The token endpoint of Microsoft Entra ID, as far as the workload identity credential uses it. Its tokens are
 * opaque to clients, and nothing validates them.
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
export function tokenAnswer(method: string, path: string, form: string): Answer | undefined {
  const host = "https://login.microsoftonline.com";
  if (method === "GET" && path === "/common/discovery/instance") {
    return {
      status: 200,
      body: {
        tenant_discovery_endpoint: `${host}/common/v2.0/.well-known/openid-configuration`,
        metadata: [
          {
            preferred_network: "login.microsoftonline.com",
            preferred_cache: "login.windows.net",
            aliases: ["login.microsoftonline.com", "login.windows.net"],
          },
        ],
      },
    };
  }
  const [, tenant = "", ...rest] = path.split("/");
  const what = rest.join("/");
  if (method === "GET" && what === "v2.0/.well-known/openid-configuration") {
    return {
      status: 200,
      body: {
        token_endpoint: `${host}/${tenant}/oauth2/v2.0/token`,
        authorization_endpoint: `${host}/${tenant}/oauth2/v2.0/authorize`,
        issuer: `${host}/${tenant}/v2.0`,
      },
    };
  }
  return method === "POST" && what === "oauth2/v2.0/token"
    ? {
        status: 200,
        body: { token_type: "Bearer", expires_in: 86399, ext_expires_in: 86399, access_token: tokenOf(form) },
      }
    : undefined;
}
