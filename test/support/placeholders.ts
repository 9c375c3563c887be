import { exampleAuthority } from "./certificates";

/** The values for placeholders in angle brackets, as a user would fill them in. */
export const known: Readonly<Record<string, string>> = {
  "<ORGANIZATION/PROJECT/STACK of the management stack>": "acme/capz-windows/management",
  "<fewer and larger networks>": '["203.0.113.0/24"]',
  "<a text without the credential>": "blue",
  "<range of the subnet>": "10.10.200.0/24",
  "<contents of your .pub file>":
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV me",
  "<GUID of your subscription>": "22222222-2222-4333-8444-555555555555",
  "<GUID of your tenant>": "22222222-2222-4333-8444-666666666666",
  "<GUID of the identity's client>": "22222222-2222-4333-8444-777777777777",
  "<GUID of the gallery's subscription>": "22222222-2222-4333-8444-888888888888",
  "<the gallery's resource group>": "images",
  "<your network as a CIDR>": "198.51.100.0/24",
  "<name of the cluster>": "platform",
  "<output of az aks show --query oidcIssuerProfile.issuerUrl>": "https://issuer.example/",
  "<your gallery>": "own",
  "<ARM ID of another subnet of the VNET>":
    "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke/subnets/another",
  "<ARM ID of the subnet>":
    "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke/subnets/web",
  "<ARM ID of the Azure Bastion>":
    "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/bastionHosts/hub-bastion",
  "<USER@HOST of the jump host>": "ops@10.50.0.10",
  "<address of a DNS server>": "10.50.0.68",
  "<ARM ID of the NAT gateway>":
    "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/natGateways/natgw",
  "<public address of the NAT gateway as a CIDR>": "198.51.100.10/32",
  "<private address of the firewall>": "10.50.0.4",
  "<image definition>": "own-definition",
  "<image version>": "1.2.3",
  "<publisher:offer:sku:version>": "p:o:s:1.2.3",
  "<a simpler text>": "C:/simple.txt",
  "<a shorter path>": "C:/short.txt",
  "<a part of it>": "part",
  "<text of the file>": "hello",
  "<name of a content in secretFiles>": "licence.key",
  "<a command that runs a script in files>": "echo script",
  "<the command with %% for each %>": "echo 100%%",
  "<call, then the command>": "call x.cmd",
  "<http://HOST:PORT of your proxy>": "http://proxy.example.com:3128",
  "<https:// address of your mirror>": "https://mirror.example.com",
  "<contents of your .pem file>": JSON.stringify(exampleAuthority),
  "<sha256 of the file>": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "<ARM ID of the VNET of the management cluster>":
    "/subscriptions/s/resourceGroups/r/providers/Microsoft.Network/virtualNetworks/v",
  "<ARM ID of a subnet of the management cluster's VNET>":
    "/subscriptions/s/resourceGroups/r/providers/Microsoft.Network/virtualNetworks/v/subnets/endpoints",
  "<ARM ID of your image>": "/subscriptions/s/resourceGroups/r/providers/Microsoft.Compute/images/i",
};
