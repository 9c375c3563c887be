/** There is no login to Azure, so that it cannot be asked anything. */
export class LoginError extends Error {
  override readonly name = "LoginError";
}

/** Credentials in the order of @azure/identity: environment, workload and managed identity, az, azd, PowerShell. */
export function azureToken(tenantId: string): () => Promise<string> {
  return async () => {
    // Loaded here, because nothing else in the program needs the package.
    const { DefaultAzureCredential } = await import("@azure/identity");
    try {
      const { token } = await new DefaultAzureCredential({ tenantId }).getToken(
        "https://management.azure.com/.default",
      );
      return token;
    } catch (error) {
      const [first = ""] = String(error instanceof Error ? error.message : error).split("\n");
      throw new LoginError(`Nobody is logged in to Azure: ${first}\nWrite: az login --tenant ${tenantId}`);
    }
  };
}
