import { existingManagement } from "../../support/stacks";

type Raw = Readonly<Record<string, unknown>>;

const linked = (base: Raw, privateLink: Raw): Raw => ({
  ...{ ...base, ...existingManagement },
  network: { apiServer: { private: true, privateLink } },
});

/** Stacks with a private link to their API server, and with Azure Bastion. */
export const networkPlans = (base: Raw, ownBastion: Raw) => ({
  linked: linked(base, { manual: true }),
  linkedToMore: linked(base, { manual: true, subscriptions: ["22222222-2222-4333-8444-555555555555"] }),
  bastion: { ...base, network: { bastion: ownBastion } },
  otherUsers: { ...base, network: { bastion: { ...ownBastion, allowedCidrs: ["198.51.100.0/24"] } } },
});
