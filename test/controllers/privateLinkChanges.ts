import { existingManagement, minimal } from "../support/stacks";

/** Changes of a private link, by key: the stack before and after. */

type Raw = Record<string, unknown>;

const subnetId =
  "/subscriptions/s/resourceGroups/platform/providers/Microsoft.Network/virtualNetworks/platform/subnets/endpoints";
const linked = (privateLink: Raw): Raw => ({
  ...minimal(),
  ...existingManagement,
  protect: false,
  network: { apiServer: { private: true, privateLink } },
});
const place = "network.apiServer.privateLink";

export const privateLinkChanges: Readonly<Record<string, readonly [Raw, Raw]>> = {
  [`${place}.manual`]: [linked({ subnetId }), linked({ manual: true })],
  [`${place}.subnetId`]: [linked({ subnetId }), linked({ subnetId: `${subnetId}2` })],
  [`${place}.location`]: [linked({ subnetId }), linked({ subnetId, location: "northeurope" })],
  [`${place}.subscriptions`]: [
    linked({ manual: true }),
    linked({ manual: true, subscriptions: ["22222222-2222-4333-8444-555555555555"] }),
  ],
};
