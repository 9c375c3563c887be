import { setTimeout as sleep } from "node:timers/promises";
import { resourceParts } from "capz-windows-platform/azure/resourceParts";

/** What Azure says of a private link service. */
export interface LinkServiceState {
  readonly provisioningState: string;
}

/** Seconds for which CAPZ may not have seen a change of the AzureCluster, and Azure makes the service. */
const patience = 600;
const pause = 5;

/**
 * Reads the private link service until Azure has made it. The condition PrivateLinksReady of the AzureCluster does not say so on
 * a cluster that runs: it is true without a link, too, and names no generation. A read that fails is a service that is
 * not there, whatever the error says.
 * @returns the ID of the service
 * @throws Error if it is not there in time
 */
export async function awaitService(
  id: string,
  read: () => Promise<LinkServiceState>,
  wait: (seconds: number) => Promise<unknown> = (seconds) => sleep(seconds * 1000),
): Promise<string> {
  for (let waited = 0; ; waited += pause) {
    const state = await read().then(
      ({ provisioningState }) => provisioningState,
      (error: unknown) => String(error),
    );
    if (state === "Succeeded") {
      return id;
    }
    if (waited >= patience) {
      throw new Error(
        `CAPZ has not made the private link service ${resourceParts(id).name} in ${patience / 60} minutes (${state}), so it has no private endpoint. \`npm run doctor\` says what Azure has refused: ${id}`,
      );
    }
    await wait(pause);
  }
}
