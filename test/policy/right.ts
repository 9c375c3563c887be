import { minimal } from "../support/stacks";

export type Raw = Readonly<Record<string, unknown>>;

const group = "11111111-2222-4333-8444-555555555555";
export const aks = {
  kind: "aks",
  authorizedCidrs: ["203.0.113.0/24"],
  entra: { adminGroupObjectIds: [group] },
};
export const access = { ...(minimal().access as Raw), allowedCidrs: ["203.0.113.0/24"] };

export const encryption = { keys: ["key1"] };
export const locked = { encryption, audit: {} };

/** A stack without findings. */
export const right: Raw = {
  ...minimal(),
  access,
  management: aks,
  controlPlane: { replicas: 3, ...locked },
  kubeletCertificates: "verified",
  linuxPools: { linux1: { replicas: 3 } },
  windowsPools: { win1: { windowsServer: "2025" } },
};
