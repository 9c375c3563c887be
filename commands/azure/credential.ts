import { loadOptional } from "capz-windows-kit/io/optionalPackage";
import { bash } from "capz-windows-kit/shell";

/** There is no login to Azure, so that it cannot be asked anything. */
export class LoginError extends Error {
  override readonly name = "LoginError";
}

/** What MSAL and Node.js say of a connection that failed. */
const noNetwork =
  /network_error|endpoints_resolution_error|ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH/;

/** Placeholder of the example stacks. */
const exampleTenant = "00000000-0000-0000-0000-000000000000";

/** Credentials in the order of @azure/identity: environment, workload and managed identity, az, azd, PowerShell. */
export function azureToken(tenantId: string): () => Promise<string> {
  return async () => {
    const { DefaultAzureCredential } = await loadOptional(
      "@azure/identity",
      "this command logs in to Azure",
      () => import("@azure/identity"),
      (message) => new LoginError(message),
    );
    try {
      const { token } = await new DefaultAzureCredential({ tenantId }).getToken(
        "https://management.azure.com/.default",
      );
      return token;
    } catch (error) {
      const text = String(error instanceof Error ? error.message : error);
      const [first = ""] = text.split("\n");
      // The answer of one credential; where none is there, an AggregateAuthenticationError has the reasons of all.
      if (error instanceof Error && error.name === "AuthenticationError" && noNetwork.test(text)) {
        throw new LoginError(
          `Azure could not be asked for a login, and whether there is one is not known: ${first}\nCheck your network and HTTPS_PROXY, then run the command again.`,
        );
      }
      const write =
        tenantId === exampleTenant
          ? "your own IDs into azure.subscriptionId and azure.tenantId of the stack file, which has those of the examples"
          : bash`az login --tenant ${tenantId}`;
      throw new LoginError(`There is no login to Azure: ${first}\nWrite: ${write}`);
    }
  };
}
