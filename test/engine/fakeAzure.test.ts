import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { ServiceError } from "@grpc/grpc-js";
import { decodeStruct, encodeStruct, type Values } from "pulumi-plan-engine";
import { startFakeAzure, type FakeAzure } from "./fakeAzure";

/** The rules of Azure that the pretended one keeps. Where each comes from is said in azureStore.ts and fakeAzure.ts. */

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const reader = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`;

/** One connection to the provider, as the engine makes it for each provider resource. */
class Client {
  private readonly client: ResourceProviderClient;

  constructor(port: string) {
    // Without a pool of its own it would share the connection with the other clients.
    const own = { "grpc.use_local_subchannel_pool": 1 };
    this.client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), own);
  }

  close(): void {
    this.client.close();
  }

  private call<T>(send: (done: (error: ServiceError | null, answer: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      send((error, answer) => {
        if (error === null) {
          resolve(answer);
        } else {
          reject(error);
        }
      });
    });
  }

  async configure(subscriptionId: string): Promise<void> {
    const request = new proto.ConfigureRequest().setArgs(encodeStruct({ subscriptionId }));
    await this.call((done) => this.client.configure(request, done));
  }

  async create(type: string, inputs: Values, name = "it"): Promise<{ id: string; properties: Values }> {
    const request = new proto.CreateRequest().setUrn(urn(type, name)).setProperties(encodeStruct(inputs));
    const answer = await this.call<proto.CreateResponse>((done) => this.client.create(request, done));
    return { id: answer.getId(), properties: decodeStruct(answer.getProperties()) };
  }

  async update(type: string, id: string, inputs: Values): Promise<Values> {
    const request = new proto.UpdateRequest().setUrn(urn(type)).setId(id).setNews(encodeStruct(inputs));
    const answer = await this.call<proto.UpdateResponse>((done) => this.client.update(request, done));
    return decodeStruct(answer.getProperties());
  }

  async delete(type: string, id: string): Promise<void> {
    const request = new proto.DeleteRequest().setUrn(urn(type)).setId(id);
    await this.call((done) => this.client.delete(request, done));
  }

  diff(type: string, olds: Values, news: Values): Promise<proto.DiffResponse> {
    const request = new proto.DiffRequest()
      .setUrn(urn(type))
      .setOldInputs(encodeStruct(olds))
      .setNews(encodeStruct(news));
    return this.call((done) => this.client.diff(request, done));
  }
}

const urn = (type: string, name = "it"): string => `urn:pulumi:s::p::azure-native:${type}::${name}`;

let azure: FakeAzure;
let client: Client;
const connect = (): Client => new Client(/azure-native:(\d+)/.exec(azure.providers)![1]!);

beforeEach(async () => {
  azure = await startFakeAzure();
  client = connect();
  await client.configure(subscription.split("/")[2]!);
});
afterEach(() => {
  client.close();
  azure.stop();
});

const group = (resourceGroupName = "rg") =>
  client.create("resources:ResourceGroup", { resourceGroupName, location: "westeurope" });
const identity = (resourceName = "id") =>
  client.create("managedidentity:UserAssignedIdentity", { resourceGroupName: "rg", resourceName });
const assign = (scope: string, principalId: string, roleAssignmentName: string) =>
  client.create("authorization:RoleAssignment", {
    ...{ scope, principalId, roleAssignmentName, roleDefinitionId: reader },
  });
const vnetInputs = (...subnets: readonly Values[]): Values => ({
  ...{ resourceGroupName: "rg", virtualNetworkName: "vnet", location: "westeurope", subnets },
});
const nodes = (addressPrefix: string): Values => ({ name: "nodes", addressPrefix });

it("a group goes with everything in it, and an assignment at another scope stays", async () => {
  const made = await group();
  const { properties } = await identity();
  const inside = await assign(made.id, properties.principalId as string, "inside");
  const outside = await assign(subscription, properties.principalId as string, "outside");
  await client.create("network:VirtualNetwork", vnetInputs(nodes("10.0.0.0/24")));
  await group("rg-2");
  await client.delete("resources:ResourceGroup", made.id);
  expect(inside.id).toContain(`${made.id}/`);
  expect(azure.store.ids()).toEqual([outside.id, `${subscription}/resourceGroups/rg-2`]);
});

it("a principal has a role at a scope only once", async () => {
  await assign(subscription, "a", "first");
  await assign(subscription, "b", "other-principal");
  await assign(`${subscription}/resourceGroups/x`, "a", "other-scope");
  await expect(assign(subscription, "a", "second")).rejects.toThrow(
    'Code="RoleAssignmentExists" Message="The role assignment already exists. The ID of the existing role assignment is first."',
  );
});

it("an assignment keeps its principal", async () => {
  const { id } = await assign(subscription, "a", "first");
  const changed = { scope: subscription, principalId: "b", roleAssignmentName: "first" };
  await expect(client.update("authorization:RoleAssignment", id, changed)).rejects.toThrow(
    'Code="RoleAssignmentUpdateNotPermitted" Message="Tenant ID, application ID, principal ID, and scope are not allowed to be updated."',
  );
});

it("an identity that is made again is another principal, and the same one after an update", async () => {
  const first = await identity();
  const type = "managedidentity:UserAssignedIdentity";
  const updated = await client.update(type, first.id, { resourceGroupName: "rg", resourceName: "id" });
  expect(updated).toEqual(first.properties);
  await client.delete(type, first.id);
  const second = await identity();
  expect(second.id).toBe(first.id);
  for (const key of ["principalId", "clientId"]) {
    expect(second.properties[key]).not.toBe(first.properties[key]);
  }
  expect(await client.update(type, second.id, { resourceGroupName: "rg", resourceName: "id" })).toEqual(
    second.properties,
  );
});

it("what exists is not created", async () => {
  const { id } = await group();
  await expect(group()).rejects.toThrow(`cannot create already existing resource '${id}'`);
});

it("what is gone cannot be updated, and is deleted already", async () => {
  const { id } = await group();
  azure.store.remove(id);
  await expect(
    client.update("resources:ResourceGroup", id, { resourceGroupName: "rg", location: "westeurope" }),
  ).rejects.toThrow(`Code="ResourceNotFound" Message="The Resource '${id}' was not found."`);
  await client.delete("resources:ResourceGroup", id);
});

it("an operation that fails at once makes nothing, and one that fails later leaves what it made", async () => {
  azure.fault = () => "QuotaExceeded";
  await expect(group()).rejects.toThrow("QuotaExceeded");
  expect(azure.store.ids()).toEqual([]);
  azure.fault = () => undefined;
  azure.lateFault = () => "InternalServerError";
  const error = (await group().catch((thrown: unknown) => thrown)) as ServiceError;
  expect(error.details).toBe("InternalServerError");
  const id = `${subscription}/resourceGroups/rg`;
  expect(azure.store.ids()).toEqual([id]);
  const [details] = error.metadata.get("grpc-status-details-bin");
  expect(String(details)).toContain("pulumirpc.ErrorResourceInitFailed");
  expect(String(details)).toContain(id);
});

describe("a subnet with something in it", () => {
  const type = "network:VirtualNetwork";
  const message = `IpPrefix ["10.0.0.0/24",null] on Subnet nodes has active allocations and cannot be deleted.`;
  let id: string;
  beforeEach(async () => {
    const made = await client.create(type, vnetInputs(nodes("10.0.0.0/24"), { name: "empty" }));
    ({ id } = made);
    azure.machines = () => Promise.resolve([`${id}/subnets/nodes`]);
  });

  it("keeps its address range", async () => {
    const moved = vnetInputs(nodes("10.0.1.0/24"), { name: "empty" });
    await expect(client.update(type, id, moved)).rejects.toThrow(message);
    azure.machines = () => Promise.resolve([]);
    await client.update(type, id, moved);
  });

  it("cannot be removed, also not with its VNET; an empty one can", async () => {
    await client.update(type, id, vnetInputs(nodes("10.0.0.0/24")));
    const removed = "Subnet nodes is in use by machines and cannot be deleted.";
    await expect(client.update(type, id, vnetInputs())).rejects.toThrow(removed);
    await expect(client.delete(type, id)).rejects.toThrow(removed);
    expect(azure.store.has(id)).toBe(true);
    azure.machines = () => Promise.resolve([]);
    await client.delete(type, id);
    expect(azure.store.ids()).toEqual([]);
  });

  it("is in use by what names it", async () => {
    azure.machines = () => Promise.resolve([]);
    const endpoint = await client.create("network:PrivateEndpoint", {
      ...{ resourceGroupName: "rg", privateEndpointName: "pe", subnet: { id: `${id}/subnets/nodes` } },
    });
    await expect(client.update(type, id, vnetInputs({ name: "empty" }))).rejects.toThrow(
      `Subnet nodes is in use by ${endpoint.id} and cannot be deleted.`,
    );
  });
});

it.each([
  ["NetworkSecurityGroup", "networkSecurityGroupName", "InUseNetworkSecurityGroupCannotBeDeleted"],
  ["RouteTable", "routeTableName", "InUseRouteTableCannotBeDeleted"],
  ["NatGateway", "natGatewayName", "InUseNatGatewayCannotBeDeleted"],
  ["PublicIPAddress", "publicIpAddressName", "PublicIPAddressCannotBeDeleted"],
])("%s cannot be deleted while a resource has it", async (kind, nameInput, code) => {
  const used = await client.create(`network:${kind}`, { resourceGroupName: "rg", [nameInput]: "used" });
  const user = await client.create(
    "network:VirtualNetwork",
    vnetInputs({ name: "nodes", user: { id: used.id } }),
  );
  await expect(client.delete(`network:${kind}`, used.id)).rejects.toThrow(
    `Code="${code}" Message="${used.id} cannot be deleted because it is in use by ${user.id}."`,
  );
  await client.delete("network:VirtualNetwork", user.id);
  await client.delete(`network:${kind}`, used.id);
  expect(azure.store.ids()).toEqual([]);
});

it("a name or region is changed by a deletion and a creation, tags in place", async () => {
  const type = "resources:ResourceGroup";
  const before = { resourceGroupName: "rg", location: "westeurope", tags: { a: "b" } };
  const moved = await client.diff(type, before, { ...before, location: "northeurope" });
  expect([moved.getReplacesList(), moved.getDeletebeforereplace()]).toEqual([["location"], true]);
  const tagged = await client.diff(type, before, { ...before, tags: { a: "c" } });
  expect([tagged.getReplacesList(), tagged.getDiffsList(), tagged.getDeletebeforereplace()]).toEqual([
    ...[[], ["tags"], false],
  ]);
  expect((await client.diff(type, before, before)).getChanges()).toBe(
    proto.DiffResponse.DiffChanges.DIFF_NONE,
  );
});

it("each provider has its own subscription", async () => {
  const hub = connect();
  try {
    await hub.configure("22222222-2222-4333-8444-555555555555");
    const inputs = { resourceGroupName: "rg", location: "westeurope" };
    const made = await hub.create("resources:ResourceGroup", inputs);
    expect(made.id).toBe("/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/rg");
    expect((await group()).id).toBe(`${subscription}/resourceGroups/rg`);
  } finally {
    hub.close();
  }
});

it("credentials of one identity are written one after the other", async () => {
  azure.duration = 100;
  const type = "managedidentity:FederatedIdentityCredential";
  const write = (resourceName: string, name: string) =>
    client.create(type, {
      ...{ resourceGroupName: "rg", resourceName, federatedIdentityCredentialResourceName: name },
    });
  const [first, second, other] = await Promise.allSettled([
    ...[write("id", "a"), write("id", "b"), write("id-2", "a")],
  ]);
  expect([first!.status, second!.status, other!.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(String((second as PromiseRejectedResult).reason)).toContain(
    'Code="ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity"',
  );
  await write("id", "b");
});

it("who uses an AKS cluster hears that it is gone, also with its group", async () => {
  const gone: string[] = [];
  azure.deleted = (id) => {
    gone.push(id);
    return Promise.resolve();
  };
  const made = await group();
  const type = "containerservice:ManagedCluster";
  const inputs = { resourceGroupName: "rg", resourceName: "aks", location: "westeurope" };
  const first = await client.create(type, inputs);
  await client.delete(type, first.id);
  await client.create(type, inputs);
  await client.delete("resources:ResourceGroup", made.id);
  expect(gone).toEqual([first.id, first.id]);
});
