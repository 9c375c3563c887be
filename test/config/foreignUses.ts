import { keysOf, nodeAt } from "../../config/jsonSchema";
import { memoize } from "../../tools/memoize";
import { minimal } from "../support/stacks";
import { places } from "./foreignVocabulary";

/** A stack file with every mapping in which a key of another tool may be. */

export type Raw = Record<string, unknown>;

const otherVnet =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub";

/** A network in the VNET of others. */
export const inVnet: Raw = {
  ...{ vnetCidr: "10.40.0.0/20", controlPlaneSubnetCidr: "10.40.0.0/26", nodeSubnetCidr: "10.40.4.0/22" },
  existing: {
    controlPlaneSubnetId: `${otherVnet}/subnets/cp`,
    nodeSubnetId: `${otherVnet}/subnets/nodes`,
    nodeSecurityGroup: "nsg",
    egressCidrs: ["203.0.113.10/32"],
  },
};

export const withPools = (): Raw => ({
  ...minimal(),
  management: {
    kind: "aks",
    maintenanceWindow: { dayOfWeek: "Sunday", startTime: "02:00", durationHours: 6 },
  },
  network: { peerings: { hub: { vnetId: otherVnet, addressSpaces: ["10.50.0.0/16"] } } },
  extraManifests: { web: { file: "web.yaml" } },
  controlPlane: {
    authentication: { oidc: [{ issuerUrl: "https://login.example.com", audiences: ["kubernetes"] }] },
    healthCheck: {},
    deletion: {},
  },
  policyExceptions: [{ rule: "unprotected", reason: "a test cluster", until: "2027-03-31" }],
  addons: {},
  clusterApi: {},
  sampleWorkload: {},
  poolDefaults: {},
  linuxPools: { linux1: {} },
  windowsPools: {
    win1: {
      files: [{ path: "C:/x.txt", content: "x" }],
      dataDisks: [{ name: "data", letter: "F" }],
      taints: [{ key: "os", effect: "NoSchedule" }],
      vmExtensions: [{ name: "a", publisher: "b", version: "1.0" }],
      image: { id: "/subscriptions/s" },
    },
  },
});

export const keysAt = memoize((place: string): readonly string[] =>
  keysOf(nodeAt(places[place] ?? [], withPools())),
);
