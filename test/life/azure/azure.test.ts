import { connect as connectTls } from "node:tls";
import { request } from "node:http";
import { actsOf } from "capz-windows-platform/azure/operations";
import { certificateAuthority } from "../support/certificates";
import { azureTypes } from "../../azure/azureTypes";
import { Acts } from "./acts";
import { Arm } from "./arm";
import { Clock, sleep } from "./clock";
import { azureErrors, lateErrors } from "./faults";
import { isApproved } from "./network";
import type { Answer, Body } from "./resource";
import { Proxy } from "./server";

const group = "/subscriptions/s/resourceGroups/g";
const networkId = `${group}/providers/Microsoft.Network`;
const setId = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/win1`;

const clock = new Clock();
const arm = new Arm(clock, 20);

afterAll(() => {
  clock.stop();
});

const ask = (method: string, path: string, body: unknown = {}): Answer =>
  arm.answer({ method, path, query: new URLSearchParams(), body: body as Body });

const codeOf = ({ body }: Answer): string => (body as { error: { code: string } }).error.code;

const image = (version: string) => ({
  imageReference: { communityGalleryImageId: `/CommunityGalleries/g/Images/capi-win/Versions/${version}` },
});

const setOf = (capacity: number, version?: string) => ({
  sku: { name: "Standard_D4s_v5", capacity },
  properties:
    version === undefined
      ? { orchestrationMode: "Uniform" }
      : {
          virtualMachineProfile: {
            osProfile: { computerNamePrefix: "win1", customData: "c2VjcmV0", adminPassword: "x" },
            storageProfile: image(version),
          },
        },
});

interface Shown {
  readonly sku?: { readonly capacity?: number };
  readonly properties: Readonly<Record<string, unknown>>;
}

const get = (path: string): Shown => ask("GET", path).body as Shown;

describe("what controllers do", () => {
  const ofGroup = (type: string, name: string): string => `${group}/providers/${type}/${name}`;
  const acts = new Acts();
  const seen = (method: string, path: string, body: Body = {}, principal: string | undefined = "capz") => {
    acts.add({ method, path, query: new URLSearchParams(), body, principal });
    return acts.withoutReason([group]);
  };

  it("is what their roles are for, also at what a request names", () => {
    expect(seen("GET", "/subscriptions/s/providers/Microsoft.Compute/skus")).toEqual([]);
    expect(seen("GET", setId)).toEqual([]);
    expect(seen("DELETE", `${setId}/virtualMachines/0`)).toEqual([]);
    expect(seen("PATCH", `${setId}/providers/Microsoft.Resources/tags/default`)).toEqual([]);
    expect(
      seen("PUT", setId, {
        identity: {
          userAssignedIdentities: { [ofGroup("Microsoft.ManagedIdentity/userAssignedIdentities", "i")]: {} },
        },
        properties: { subnet: { id: `${networkId}/virtualNetworks/v/subnets/nodes` } },
      }),
    ).toEqual([]);
    expect(
      actsOf({
        method: "PUT",
        path: setId,
        body: { properties: { subnet: { id: `${networkId}/virtualNetworks/v/subnets/nodes` } } },
      }).map(({ action }) => action),
    ).toEqual([
      "Microsoft.Compute/virtualMachineScaleSets/write",
      "Microsoft.Network/virtualNetworks/subnets/join/action",
    ]);
  });

  it("is not what `pulumi up` does", () => {
    acts.add({
      method: "PUT",
      path: ofGroup("Microsoft.Authorization/roleAssignments", "r"),
      query: new URLSearchParams(),
      body: {},
    });
    expect(acts.withoutReason([group])).toEqual([]);
  });

  it("is found where no role is for it", () => {
    expect(seen("PUT", ofGroup("Microsoft.Authorization/roleAssignments", "r"))).toEqual([
      `no role of the controllers is for Microsoft.Authorization/roleAssignments/write on roleAssignments ${ofGroup("Microsoft.Authorization/roleAssignments", "r")}`,
    ]);
    const elsewhere = setId.replace("/g/", "/others/");
    expect(seen("DELETE", elsewhere)).toContain(
      `no role of the controllers is for Microsoft.Compute/virtualMachineScaleSets/delete on virtualMachineScaleSets ${elsewhere}`,
    );
    expect(seen("GET", elsewhere).join()).not.toContain("/read");
  });
});

describe("simulated Resource Manager", () => {
  it("refuses a resource in a resource group that does not exist", () => {
    const answer = ask("PUT", `${networkId}/routeTables/r`);
    expect([answer.status, codeOf(answer)]).toEqual([404, "ResourceGroupNotFound"]);
  });

  it("answers 201 for a new resource, 200 for an existing one, 404 and 204 for a missing one", () => {
    expect(ask("PUT", group, { location: "here" }).status).toBe(201);
    expect(ask("PUT", group, { location: "here" }).status).toBe(200);
    expect(codeOf(ask("GET", `${networkId}/routeTables/none`))).toBe("ResourceNotFound");
    expect(ask("DELETE", `${networkId}/routeTables/none`).status).toBe(204);
  });

  (azureTypes === undefined ? it.skip : it)("refuses what Azure's types refuse", () => {
    const put = (apiVersion: string, properties: object) => {
      const query = new URLSearchParams({ "api-version": apiVersion });
      const body = { location: "here", properties } as Body;
      return arm.answer({ method: "PUT", path: `${networkId}/networkSecurityGroups/typed`, query, body });
    };
    ask("PUT", group, { location: "here" });
    const before = arm.refusals.length;
    expect(put("2024-05-01", { securityRules: [] }).status).toBe(201);
    expect(put("2024-05-01", { provisioningState: "Succeeded" }).status).toBe(200);
    expect(put("2024-05-01", { rules: [] })).toEqual({
      status: 400,
      body: {
        error: {
          code: "InvalidRequestContent",
          message:
            "The request content was invalid and could not be deserialized: 'properties.rules is unknown'.",
        },
      },
    });
    expect(put("2024-05-02", {}).body).toEqual({
      error: {
        code: "NoRegisteredProviderFound",
        message:
          "No registered resource provider found for API version '2024-05-02' for type 'networkSecurityGroups' of 'Microsoft.Network'.",
      },
    });
    expect(arm.refusals).toHaveLength(before + 2);
  });

  it("refuses to delete resources that are in use", () => {
    const nsg = `${networkId}/networkSecurityGroups/n`;
    ask("PUT", nsg);
    const subnets = [{ name: "a", properties: { networkSecurityGroup: { id: nsg } } }];
    ask("PUT", `${networkId}/virtualNetworks/v`, { properties: { subnets } });
    expect(codeOf(ask("DELETE", nsg))).toBe("InUseNetworkSecurityGroupCannotBeDeleted");
    expect(ask("GET", `${networkId}/virtualNetworks/v/subnets/a`).status).toBe(200);
    expect(ask("DELETE", `${networkId}/virtualNetworks/v`).status).toBe(200);
    expect(ask("DELETE", nsg).status).toBe(200);
  });

  it("has a private link only where subnet, subscriptions and the order of deletion allow it", () => {
    const [vnet, service] = [`${networkId}/virtualNetworks/w`, `${networkId}/privateLinkServices/l`];
    const endpoint = "/subscriptions/t/resourceGroups/g/providers/Microsoft.Network/privateEndpoints/e";
    const policies = (privateLinkServiceNetworkPolicies: string) =>
      ask("PUT", vnet, {
        properties: { subnets: [{ name: "a", properties: { privateLinkServiceNetworkPolicies } }] },
      });
    const link = (...subscriptions: string[]) =>
      ask("PUT", service, {
        properties: {
          ipConfigurations: [{ name: "nat", properties: { subnet: { id: `${vnet}/subnets/a` } } }],
          ...{ visibility: { subscriptions: ["s", "t"] }, autoApproval: { subscriptions } },
        },
      });
    const connect = () =>
      ask("PUT", endpoint, {
        properties: { privateLinkServiceConnections: [{ properties: { privateLinkServiceId: service } }] },
      });
    ask("PUT", "/subscriptions/t/resourceGroups/g");
    policies("Enabled");
    expect(codeOf(link())).toBe("PrivateLinkServiceCannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled");
    expect(codeOf(connect())).toBe("InvalidResourceReference");
    policies("Disabled");
    expect([link("s").status, connect().status]).toEqual([201, 201]);
    expect(isApproved(arm.store, arm.store.get(endpoint)!)).toBe(false);
    link("T");
    expect(isApproved(arm.store, arm.store.get(endpoint)!)).toBe(true);
    expect(codeOf(ask("DELETE", service))).toBe(
      "PrivateLinkServiceWithPrivateEndpointConnectionsCannotBeDeleted",
    );
    expect([ask("DELETE", endpoint).status, ask("DELETE", service).status]).toEqual([200, 200]);
  });

  it("creates a machine after a while, and keeps its disks when it is deleted", async () => {
    const nic = `${networkId}/networkInterfaces/vm-nic`;
    const vm = `${group}/providers/Microsoft.Compute/virtualMachines/vm`;
    ask("PUT", nic, { properties: { ipConfigurations: [{ name: "a", properties: {} }] } });
    const made = ask("PUT", vm, {
      properties: {
        osProfile: { computerName: "vm", customData: "c2VjcmV0" },
        storageProfile: { osDisk: { name: "vm_OSDisk" } },
        networkProfile: { networkInterfaces: [{ id: nic }] },
      },
    });
    expect(made.status).toBe(201);
    const poll = new URL(made.headers!["azure-asyncoperation"]!).pathname;
    expect(ask("GET", poll).body).toMatchObject({ status: "InProgress" });
    await sleep(40);
    expect(ask("GET", poll).body).toMatchObject({ status: "Succeeded" });
    expect(JSON.stringify(get(vm))).not.toContain("c2VjcmV0");
    expect(arm.bootData(arm.store.get(vm)!)).toEqual({ customData: "c2VjcmV0" });
    expect(codeOf(ask("DELETE", nic))).toBe("NicInUse");
    expect(ask("DELETE", vm).status).toBe(202);
    await sleep(40);
    expect(ask("DELETE", nic).status).toBe(200);
    expect(ask("DELETE", `${group}/providers/Microsoft.Compute/disks/vm_OSDisk`).status).toBe(200);
  });

  it("keeps for an instance of a scale set the model with which it was created", async () => {
    ask("PUT", setId, setOf(2, "1.0.0"));
    ask("PUT", setId, setOf(3, "2.0.0"));
    ask("PUT", setId, setOf(4));
    await sleep(40);
    const { value } = ask("GET", `${setId}/virtualMachines`).body as { value: Shown[] };
    expect(value.map(({ properties }) => JSON.stringify(properties.storageProfile).slice(-8, -3))).toEqual([
      "1.0.0",
      "1.0.0",
      "2.0.0",
      "2.0.0",
    ]);
    expect(value.map(({ properties }) => properties.osProfile)).toContainEqual({
      computerName: "win1000003",
    });
    ask("DELETE", `${setId}/virtualMachines/0`);
    expect(get(setId).sku?.capacity).toBe(3);
    await sleep(40);
    expect(arm.scaleSets.instances(setId)).toHaveLength(3);
  });

  it("fails as often as a fault says", () => {
    const fault = arm.faults.add({ method: "PUT", path: /win1$/, times: 1, ...azureErrors.quota });
    expect(ask("GET", setId).status).toBe(200);
    expect(codeOf(ask("PUT", setId, setOf(3)))).toBe("OperationNotAllowed");
    expect(ask("PUT", setId, setOf(3)).status).toBe(200);
    expect(fault.met()).toBe(1);
  });

  it("accepts a request whose operation fails later, with failed instances or none", async () => {
    for (const [leaves, instances] of [
      ["failed", ["Failed"]],
      ["nothing", []],
    ] as const) {
      const id = setId.replace("win1", leaves);
      const fault = arm.faults.addLate({ path: /sets\/\w+$/i, times: 1, leaves, ...lateErrors.allocation });
      const accepted = ask("PUT", id, setOf(1, "1.0.0"));
      expect(accepted.status).toBe(201);
      await sleep(40);
      const poll = new URL(accepted.headers!["azure-asyncoperation"]!).pathname;
      expect(ask("GET", poll).body).toMatchObject({ status: "Failed", error: lateErrors.allocation });
      expect(get(id)).toMatchObject({ sku: { capacity: 1 }, properties: { provisioningState: "Failed" } });
      const found = arm.scaleSets.instances(id).map(({ properties }) => properties.provisioningState);
      expect([found, fault.met()]).toEqual([instances, 1]);
    }
  });

  it("records requests that it does not know", () => {
    expect(codeOf(ask("POST", `${setId}/restart`))).toBe("NotSimulated");
    expect(arm.unknown).toEqual([`POST ${setId}/restart`]);
  });
});

it("the proxy terminates TLS with its own certificate authority, and connects to no other host", async () => {
  const authority = certificateAuthority("test");
  const proxy = new Proxy(arm, authority);
  const { port } = new URL(await proxy.listen());
  const connect = (path: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const outgoing = request({ host: "127.0.0.1", port, method: "CONNECT", path });
      outgoing.on("error", reject);
      outgoing.on("connect", (answer, socket) => {
        if (answer.statusCode !== 200) {
          socket.destroy();
          resolve({ status: answer.statusCode!, text: "" });
          return;
        }
        const tls = connectTls({ socket, servername: path.split(":")[0]!, ca: authority.cert }, () => {
          tls.write(`GET ${group}?api-version=1 HTTP/1.1\r\nhost: ${path}\r\nconnection: close\r\n\r\n`);
        });
        let text = "";
        tls.setEncoding("utf8");
        tls.on("data", (chunk: string) => (text += chunk));
        tls.on("error", reject);
        tls.on("end", () => {
          resolve({ status: 200, text });
        });
      });
      outgoing.end();
    });
  try {
    expect((await connect("management.azure.com:443")).text).toContain(`"id":"${group}"`);
    expect(await connect("example.com:443")).toEqual({ status: 503, text: "" });
    expect([...proxy.strangers]).toEqual(["example.com:443"]);
  } finally {
    proxy.close();
  }
});
