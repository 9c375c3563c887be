import { loadOptional } from "../../io/optionalPackage";

/** There is no login to Azure, so that it cannot be asked anything. */
export class LoginError extends Error {
  override readonly name = "LoginError";
}

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
      const [first = ""] = String(error instanceof Error ? error.message : error).split("\n");
      throw new LoginError(`There is no login to Azure: ${first}\nWrite: az login --tenant ${tenantId}`);
    }
  };
}
