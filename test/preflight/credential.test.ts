import { azureToken } from "../../commands/azure/credential";

let failure = new Error();

jest.mock("@azure/identity", () => ({
  DefaultAzureCredential: class {
    getToken(): Promise<never> {
      return Promise.reject(failure);
    }
  },
}));

const said = (name: string, message: string, tenant = "TENANT"): Promise<string> => {
  failure = Object.assign(new Error(message), { name });
  return azureToken(tenant)().catch((error: unknown) => (error as Error).message);
};

/** Messages of @azure/identity, with a service principal in the environment and no network, and with nothing at all. */
it("an Azure that cannot be asked is not a missing login", async () => {
  const text =
    "EnvironmentCredential authentication failed. Status code: 400 \nMore details:\nnetwork_error: getaddrinfo ENOTFOUND login.microsoftonline.com";
  expect(await said("AuthenticationError", text)).toBe(
    "Azure could not be asked for a login, and whether there is one is not known: EnvironmentCredential authentication failed. Status code: 400 \nCheck your network and HTTPS_PROXY, then run the command again.",
  );
});

it("no login, although the address of managed identities does not answer on this machine", async () => {
  const text =
    "ChainedTokenCredential authentication failed.\nCredentialUnavailableError: ManagedIdentityCredential: network_error, ENETUNREACH";
  expect(await said("AggregateAuthenticationError", text)).toBe(
    "There is no login to Azure: ChainedTokenCredential authentication failed.\nWrite: az login --tenant TENANT",
  );
  expect(await said("AggregateAuthenticationError", text, "00000000-0000-0000-0000-000000000000")).toBe(
    "There is no login to Azure: ChainedTokenCredential authentication failed.\nWrite: your own IDs into azure.subscriptionId and azure.tenantId of the stack file, which has those of the examples",
  );
});
