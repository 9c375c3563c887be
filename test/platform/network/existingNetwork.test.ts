import { networkRequirements } from "../../../platform/network/existingNetwork";

const subnet = (name: string) =>
  `/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/spoke/subnets/${name}`;

const needs = {
  existing: {
    controlPlaneSubnetId: subnet("cp"),
    nodeSubnetId: subnet("nodes"),
    nodeSecurityGroup: "nsg",
    egressCidrs: ["198.51.100.10/32"],
  },
  subnets: ["10.0.0.0/24", "10.0.1.0/24"],
  allowedCidrs: ["203.0.113.0/24"],
  managementCidrs: ["192.0.2.7/32"],
};

it("says what a network team has to make, as text and as commands", () => {
  const lines = networkRequirements(needs).split("\n");
  expect(lines).toContain(
    "nsg: inbound TCP, from 192.0.2.7/32, 198.51.100.10/32, 203.0.113.0/24 to *, port 6443: API server: access.allowedCidrs, the management cluster, and the nodes (network.existing.egressCidrs)",
  );
  expect(lines).toContain(
    "az network nsg rule create --resource-group net --nsg-name nsg --name allow_apiserver --priority 2201 --direction Inbound --access Allow --protocol Tcp --source-address-prefixes 192.0.2.7/32 198.51.100.10/32 203.0.113.0/24 --destination-address-prefixes '*' --destination-port-ranges 6443",
  );
  // A group for both has each rule once.
  expect(lines.filter((line) => line.includes("--name allow_cluster "))).toHaveLength(1);
});

it("has the rules of each group, and none for ssh that nobody may use", () => {
  const existing = { ...needs.existing, controlPlaneSecurityGroup: "cp-nsg" };
  const text = networkRequirements({ ...needs, existing, allowedCidrs: [] });
  expect(text).not.toContain("ssh");
  expect(text.match(/--nsg-name cp-nsg --name \w+/g)).toHaveLength(7);
  expect(text.match(/--nsg-name nsg --name \w+/g)).toHaveLength(6);
});
