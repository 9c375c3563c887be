import type { AzureBastionArgs } from "../components/bastion/azureBastion";
import type { Network } from "../components/virtualNetwork/network";
import { bastionUsers } from "../config/rules/bastion";
import type { Settings } from "../config/settings";
import { withoutEmpty } from "capz-windows-kit/without";
import { present } from "capz-windows-kit/present";

/** The args if the stack has an Azure Bastion, otherwise an empty list. */
export function bastions(settings: Settings, network: Network): AzureBastionArgs[] {
  const { clusterName, azure, tags } = settings;
  const { bastion } = settings.network;
  return present(
    bastion?.kind === "stack" && {
      ...{ clusterName, location: azure.location, tags },
      ...{ resourceGroupName: network.resourceGroupName, vnetId: network.vnetId },
      // Their order has no meaning.
      ...withoutEmpty({ zones: [...bastion.zones].sort() }),
    },
  );
}

/** Of the VNET: the subnet for it, and whether ssh is shut for the Internet. */
export const privateSsh = ({ network: { bastion } }: Settings) =>
  withoutEmpty({ privateSsh: bastion && bastion.kind !== "none" ? true : undefined });

export function bastionSubnet(settings: Settings) {
  const cidr = settings.network.bastion?.range;
  return cidr === undefined ? {} : { bastion: { cidr, allowedCidrs: bastionUsers(settings) } };
}
