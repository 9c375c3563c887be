import fc from "fast-check";
import { artifactParts } from "capz-windows-platform/cluster/artifacts";
import { guid, some, vmSize } from "./rightPools";
import { existingManagement } from "./stacks";

type Raw = Record<string, unknown>;

/** For AKS, in the subscription of `minimal`. */
export const subnetId =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/platform/subnets/aks";

const hub =
  "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub";

/** Management clusters, with the settings that an existing one needs. */
export const management = fc.oneof(
  fc.constant({}),
  some({
    os: fc.constant("linux"),
    // With true there is no workload cluster (test/config/sharedManagement.test.ts).
    only: fc.constant(false),
    kubernetesVersion: fc.constantFrom("1.33", "1.34.2", "1.35"),
    nodeCount: fc.integer({ min: 1, max: 3 }),
    maxNodeCount: fc.integer({ min: 5, max: 100 }),
    nodeSize: vmSize,
    authorizedCidrs: fc.constantFrom([], ["203.0.113.0/24"]),
    maintenanceWindow: fc.constantFrom(
      { dayOfWeek: "Sunday" },
      { dayOfWeek: "Monday", startTime: "22:30", utcOffset: "-03:30", durationHours: 6 },
    ),
    entra: guid.map((id) => ({ adminGroupObjectIds: [id] })),
    zones: fc.constantFrom([], ["1", "2", "3"]),
    runCommand: fc.boolean(),
    network: fc.constantFrom<Raw>(
      { vnetCidr: "10.207.0.0/23" },
      { vnetCidr: "10.207.0.0/16", outbound: { type: "nat" } },
      { subnetId, outbound: { type: "firewall", egressCidrs: ["198.51.100.20/32"] } },
      { vnetCidr: "10.207.0.0/23", apiServer: { private: true, vnetIntegration: true, publicFqdn: true } },
      { vnetCidr: "10.207.0.0/23", apiServer: { private: true, privateDnsZone: "none" } },
      {
        vnetCidr: "10.207.0.0/23",
        apiServer: { private: true, privateDnsZone: "own", publicFqdn: false, linkedVnetIds: [hub] },
      },
      {
        subnetId,
        apiServer: { vnetIntegration: true, subnetId: `${subnetId}-api` },
        outbound: { type: "existingNat", egressCidrs: ["198.51.100.20/32"] },
      },
    ),
  })
    .map(({ authorizedCidrs, ...aks }) => {
      const isPrivate = (aks.network as { apiServer?: Raw } | undefined)?.apiServer?.private === true;
      return isPrivate || authorizedCidrs === undefined ? aks : { ...aks, authorizedCidrs };
    })
    .map((aks) => ({ management: { kind: "aks", ...aks } })),
  fc
    .record({
      createNamespace: fc.boolean(),
      install: fc.constantFrom(
        {},
        { install: false },
        { install: false, bootstrapTtlMinutes: 60 },
        { install: true, bootstrapTtlMinutes: 45 },
        { install: true },
        { install: true, installCertManager: false },
        { install: true, componentsRepository: "registry.example.com:5000/platform/cluster-api" },
        {
          install: true,
          digests: Object.fromEntries(artifactParts.map((part) => [part, `sha256:${"a".repeat(64)}`])),
        },
      ),
      identity: fc.option(
        fc.oneof(fc.record({ clientId: guid }), fc.record({ clientId: guid, principalId: guid })),
        {
          nil: undefined,
        },
      ),
    })
    .map(({ createNamespace, install, identity }) => ({
      createNamespace,
      ...existingManagement,
      clusterApi: { ...install, ...(identity ? { identity } : {}) },
    })),
  fc.boolean().map((createNamespace) => ({
    createNamespace,
    management: { kind: "stack", stack: "acme/platform/management" },
    // That of the other stack.
    clusterApi: { syncPeriodMinutes: 1 },
  })),
);

/** Versions of Cluster API, wherever it is installed. */
export const clusterApi = some({
  certManagerVersion: fc.constantFrom("v1.21.2", "v1.20.0"),
  operatorVersion: fc.constant("0.29.0"),
  coreVersion: fc.constantFrom("v1.14.2", "v1.13.6"),
  azureVersion: fc.constantFrom("v1.27.0", "v1.26.1"),
  syncPeriodMinutes: fc.constantFrom(1, 10),
});
