import { list, text } from "capz-windows-kit/untyped";
import { refusalOf } from "../../azure/azureTypes";
import { Acts } from "./acts";
import { AsyncOperations } from "./asyncOperations";
import type { Clock } from "./clock";
import { Faults } from "./faults";
import { Addresses, networkShape, refusedDeletion, refusedLink } from "./network";
import type { Answer, Body, Properties, Resource, ResourcePath } from "./resource";
import { failure, keyOf, parsePath } from "./resource";
import { ScaleSets } from "./scaleSets";
import type { BootData } from "./secrets";
import { skuList } from "./skus";
import { Store } from "./store";
import { VirtualMachines } from "./virtualMachines";

export interface ArmRequest {
  readonly method: string;
  /** Path of the URL without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Body;
  /** Whose token it has; missing for what stands in for `pulumi up`. */
  readonly principal?: string | undefined;
}

/** Types that are stored as they are sent. Types in no list are answered too, but recorded in `Arm.unknown`. */
const plain = new Set(
  [
    ...["virtualNetworks", "networkSecurityGroups", "routeTables", "natGateways", "publicIPAddresses"],
    ...["networkInterfaces", "loadBalancers", "loadBalancers/inboundNatRules", "virtualNetworks/subnets"],
    ...["virtualNetworks/virtualNetworkPeerings", "privateDnsZones", "privateDnsZones/A"],
    ...["privateDnsZones/virtualNetworkLinks", "privateLinkServices", "privateEndpoints", "bastionHosts"],
  ]
    .map((type) => `microsoft.network/${type.toLowerCase()}`)
    .concat([
      "microsoft.resources/resourcegroups",
      "microsoft.compute/disks",
      "microsoft.compute/availabilitysets",
      "microsoft.compute/virtualmachines/extensions",
      "microsoft.managedidentity/userassignedidentities",
      "microsoft.managedidentity/userassignedidentities/federatedidentitycredentials",
      "microsoft.authorization/roleassignments",
      "microsoft.containerservice/managedclusters",
    ]),
);

const scaleSetType = "microsoft.compute/virtualmachinescalesets";
const vmType = "microsoft.compute/virtualmachines";
const tagsOf = /^(.*)\/providers\/Microsoft\.Resources\/tags\/default$/i;

/** Simulated Azure Resource Manager. https://learn.microsoft.com/rest/api/resources */
export class Arm {
  readonly store = new Store();
  readonly faults = new Faults();
  readonly operations: AsyncOperations;
  readonly machines: VirtualMachines;
  readonly scaleSets: ScaleSets;
  /** The first PUT of each resource by controllers, by the key of its ID. */
  readonly puts = new Map<string, ArmRequest>();
  /** The method and path of every request of anyone, in their order. */
  readonly requests: string[] = [];
  /** Requests that the simulator does not know from any documentation. */
  readonly unknown: string[] = [];
  /** Bodies that Azure's types do not take. */
  readonly refusals: string[] = [];
  readonly acts = new Acts();
  private readonly addresses = new Addresses();

  constructor(clock: Clock, operationMs: number) {
    this.operations = new AsyncOperations(clock, operationMs);
    this.machines = new VirtualMachines(this.store, this.operations);
    this.scaleSets = new ScaleSets(this.store, this.operations, this.faults);
  }

  bootData({ id }: Resource): BootData | undefined {
    return this.machines.bootData.get(keyOf(id)) ?? this.scaleSets.bootData.get(keyOf(id));
  }

  answer(request: ArmRequest): Answer {
    const { method, path } = request;
    this.acts.add(request);
    this.requests.push(`${method} ${path}`);
    if (method === "PUT" && request.principal !== undefined && !this.puts.has(keyOf(path))) {
      this.puts.set(keyOf(path), request);
    }
    const fault = this.faults.answer(method, path);
    if (fault) {
      const name = path.split("/").at(-1) ?? "";
      const type = parsePath(path)?.type ?? "";
      this.store.tell({
        verb: "refused",
        resource: { id: path, name, type },
        detail: `${method}: ${fault.status}`,
      });
      return fault;
    }
    const operation = this.operations.answer(path);
    if (operation) {
      return operation;
    }
    const [, scope] = tagsOf.exec(path) ?? [];
    if (scope !== undefined) {
      return this.tags(request, scope);
    }
    if (/^\/subscriptions\/[^/]+\/providers\/Microsoft\.Compute\/skus$/i.test(path)) {
      const [, location = ""] = /location eq '([^']+)'/.exec(request.query.get("$filter") ?? "") ?? [];
      return { status: 200, body: skuList(location) };
    }
    const parsed = parsePath(path);
    return parsed ? this.resource(request, parsed) : this.notKnown(request);
  }

  /** Creates a resource that does not belong to the stack, if it is not there, without a request. */
  given(id: string, body: Body): void {
    const path = parsePath(id);
    if (path && !this.store.get(id)) {
      this.put({ method: "PUT", path: id, query: new URLSearchParams(), body }, path);
    }
  }

  private resource(request: ArmRequest, path: ResourcePath): Answer {
    const type = path.type.toLowerCase();
    const known = plain.has(type) || [vmType, scaleSetType, `${scaleSetType}/virtualmachines`].includes(type);
    if (!known) {
      return this.notKnown(request);
    }
    if (path.collection) {
      return request.method === "GET" ? this.list(request.path, path) : this.notKnown(request);
    }
    switch (request.method) {
      case "GET": {
        const found = this.store.get(request.path);
        return found ? { status: 200, body: found } : notFound(path);
      }
      case "PUT":
        return this.put(request, path);
      case "DELETE":
        return this.delete(request.path, path);
      default:
        return this.notKnown(request);
    }
  }

  private put({ path: id, body, query }: ArmRequest, path: ResourcePath): Answer {
    const type = path.type.toLowerCase();
    const apiVersion = query.get("api-version");
    const wrong = apiVersion === null ? undefined : refusalOf(path.type, apiVersion, body, true);
    if (wrong) {
      this.refusals.push(`${id}: ${wrong.message}`);
      return failure(400, wrong.code, wrong.message);
    }
    const group =
      path.group === undefined
        ? undefined
        : `/subscriptions/${path.subscription}/resourceGroups/${path.group}`;
    if (group !== undefined && keyOf(group) !== keyOf(id) && !this.store.get(group)) {
      return failure(
        404,
        "ResourceGroupNotFound",
        `Resource group '${path.group ?? ""}' could not be found.`,
      );
    }
    if (type === vmType) {
      return this.machines.put(id, path.subscription, body);
    }
    if (type === scaleSetType) {
      return this.scaleSets.put(id, path.subscription, body);
    }
    const refusal = refusedLink(this.store, id, type, body);
    if (refusal) {
      return refusal;
    }
    const known = this.store.get(id);
    const shaped = networkShape(known?.id ?? id, type, body, this.addresses, known);
    const stored = this.store.put(id, shaped);
    if (type === "microsoft.network/virtualnetworks") {
      // A subnet can be read by its own path, too.
      for (const subnet of list(stored.properties.subnets)) {
        this.store.put(text(subnet.id), { properties: subnet.properties as Properties }, { quiet: true });
      }
    }
    return { status: known ? 200 : 201, body: stored };
  }

  private delete(id: string, path: ResourcePath): Answer {
    const type = path.type.toLowerCase();
    const known = this.store.get(id);
    if (!known) {
      return { status: 204 };
    }
    if (type === vmType) {
      return this.machines.delete(id, path.subscription);
    }
    if (type === scaleSetType) {
      return this.scaleSets.delete(id, path.subscription);
    }
    if (type === `${scaleSetType}/virtualmachines`) {
      return this.scaleSets.deleteInstance(id, path.subscription);
    }
    const refusal = refusedDeletion(this.store, known);
    if (refusal) {
      return refusal;
    }
    this.store.remove(id);
    return { status: 200 };
  }

  private list(id: string, path: ResourcePath): Answer {
    const wanted = path.type.toLowerCase();
    const parent = keyOf(id).replace(/\/[^/]+$/, "");
    const value = this.store.below(parent).filter(({ type }) => type.toLowerCase() === wanted);
    return { status: 200, body: { value } };
  }

  /** https://learn.microsoft.com/rest/api/resources/tags */
  private tags({ method, body }: ArmRequest, scope: string): Answer {
    const known = this.store.get(scope);
    if (!known) {
      return failure(404, "ResourceNotFound", `The Resource '${scope}' was not found.`);
    }
    const wanted = (body.properties?.tags ?? {}) as Record<string, string>;
    const tags =
      method === "GET"
        ? (known.tags ?? {})
        : method === "DELETE"
          ? {}
          : method === "PATCH"
            ? { ...known.tags, ...wanted }
            : wanted;
    if (method !== "GET") {
      this.store.put(scope, { ...known, tags }, { quiet: true });
    }
    return { status: 200, body: { properties: { tags } } };
  }

  private notKnown({ method, path }: ArmRequest): Answer {
    this.unknown.push(`${method} ${path}`);
    return failure(400, "NotSimulated", `The simulator has no answer to ${method} ${path}.`);
  }
}

const notFound = ({ names, group = "", type }: ResourcePath): Answer =>
  type === "Microsoft.Resources/resourceGroups"
    ? failure(404, "ResourceGroupNotFound", `Resource group '${group}' could not be found.`)
    : failure(
        404,
        "ResourceNotFound",
        `The Resource '${type}/${names.join("/")}' under resource group '${group}' was not found.`,
      );
