import { withParts } from "../azure/azureNative";
import type { Arm } from "./azure/arm";
import type { Body } from "./azure/resource";
import { at, textAt } from "capz-windows-kit/untyped";
import type { Kind, Kube, LiveObject } from "./kube";

/**
 * A small fake of Azure Service Operator: the five kinds that CAPZ creates, and the behaviour on which CAPZ relies.
 * https://azure.github.io/azure-service-operator/guide/ (annotations, conditions, deletion)
 */

/** It acts with the identity of CAPZ. */
const principal = "azureserviceoperator";
const finalizer = "serviceoperator.azure.com/finalizer";
const policyAnnotation = "serviceoperator.azure.com/reconcile-policy";
const credentialAnnotation = "serviceoperator.azure.com/credential-from";

interface AsoKind extends Kind {
  /** Segment of the path below the owner. */
  readonly segment: string;
  readonly owner?: Kind;
}

const group: AsoKind = {
  apiVersion: "resources.azure.com/v1api20200601",
  kind: "ResourceGroup",
  segment: "resourceGroups",
};
const network: AsoKind = {
  apiVersion: "network.azure.com/v1api20201101",
  kind: "VirtualNetwork",
  segment: "providers/Microsoft.Network/virtualNetworks",
  owner: group,
};
const kinds: readonly AsoKind[] = [
  group,
  network,
  {
    apiVersion: "network.azure.com/v1api20220701",
    kind: "NatGateway",
    segment: "providers/Microsoft.Network/natGateways",
    owner: group,
  },
  {
    apiVersion: "network.azure.com/v1api20201101",
    kind: "VirtualNetworksSubnet",
    segment: "subnets",
    owner: network,
  },
  {
    apiVersion: "network.azure.com/v1api20220701",
    kind: "PrivateLinkService",
    segment: "providers/Microsoft.Network/privateLinkServices",
    owner: group,
  },
];

const azureName = ({ spec, metadata }: LiveObject): string => textAt(spec, "azureName") || metadata.name;

/** Reconciles each object by one step. */
export async function reconcileAso(kube: Kube, arm: Arm): Promise<void> {
  const lists = await Promise.all(kinds.map(async (kind) => [kind, await kube.list(kind)] as const));
  const known = new Map(
    lists.flatMap(([kind, items]) =>
      items.map(
        (item) => [`${kind.kind}/${item.metadata.namespace ?? ""}/${item.metadata.name}`, item] as const,
      ),
    ),
  );
  const subscriptions = new Map<string, Promise<string>>();
  const subscriptionOf = (object: LiveObject): Promise<string> => {
    const name = object.metadata.annotations?.[credentialAnnotation] ?? "";
    const key = `${object.metadata.namespace ?? ""}/${name}`;
    const asked = subscriptions.get(key) ?? subscription(kube, name, object.metadata.namespace);
    subscriptions.set(key, asked);
    return asked;
  };
  const idOf = async (kind: AsoKind, object: LiveObject): Promise<string> => {
    const armId = textAt(object.spec, "owner", "armId");
    if (kind.owner === undefined) {
      return `/subscriptions/${await subscriptionOf(object)}/${kind.segment}/${azureName(object)}`;
    }
    const owner = known.get(
      `${kind.owner.kind}/${object.metadata.namespace ?? ""}/${textAt(object.spec, "owner", "name")}`,
    );
    if (armId === "" && !owner) {
      throw new Error(`${kind.kind} ${object.metadata.name} has no owner`);
    }
    const above = armId || (await idOf(kind.owner as AsoKind, owner!));
    return `${above}/${kind.segment}/${azureName(object)}`;
  };
  for (const [kind, items] of lists) {
    for (const object of items) {
      await reconcile(kube, arm, object, await idOf(kind, object));
    }
  }
}

async function subscription(kube: Kube, name: string, namespace?: string): Promise<string> {
  const secret = await kube.get({ apiVersion: "v1", kind: "Secret" }, name, namespace);
  return Buffer.from(textAt(secret?.data, "AZURE_SUBSCRIPTION_ID"), "base64").toString("utf8");
}

async function reconcile(kube: Kube, arm: Arm, object: LiveObject, id: string): Promise<void> {
  const { metadata, apiVersion, kind } = object;
  const reference = {
    apiVersion,
    kind,
    metadata: {
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    },
  };
  const managed = metadata.annotations?.[policyAnnotation] !== "skip";
  const others = (metadata.finalizers ?? []).filter((name) => name !== finalizer);
  if (metadata.deletionTimestamp !== undefined) {
    if (managed && arm.store.get(id)) {
      arm.answer({ method: "DELETE", path: id, query: new URLSearchParams(), body: {}, principal });
      return;
    }
    if (others.length !== metadata.finalizers?.length) {
      await kube.patch({ ...reference, metadata: { ...reference.metadata, finalizers: others } as never });
    }
    return;
  }
  if (!metadata.finalizers?.includes(finalizer)) {
    const labels = { "serviceoperator.azure.com/owner-name": textAt(object.spec, "owner", "name") };
    await kube.patch({
      ...reference,
      metadata: { ...reference.metadata, labels, finalizers: [...others, finalizer] } as never,
    });
  }
  if (!arm.store.get(id) && managed) {
    // network.azure.com/v1api20201101
    const version = apiVersion.replace(/^.*v1api(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
    const query = new URLSearchParams({ "api-version": version });
    arm.answer({ method: "PUT", path: id, query, body: bodyOf(object), principal });
  }
  await writeStatus(kube, object, reference, statusOf(arm, id));
}

/**
 * Body of an object. ASO flattens what Resource Manager has below `properties`, also in parts, and has references in place of IDs.
 */
function bodyOf({ spec = {} }: LiveObject): Body {
  const given = JSON.parse(JSON.stringify(spec), (_, value: unknown) => {
    const id = textAt(value, "reference", "armId");
    return id === "" ? value : { id };
  }) as Record<string, unknown>;
  const { location, tags, sku, zones, ...properties } = given;
  delete properties.azureName;
  delete properties.owner;
  // What ASO itself does with the answer, such as writing a Secret.
  delete properties.operatorSpec;
  return {
    ...(JSON.parse(JSON.stringify({ location, tags, sku, zones })) as Body),
    properties: withParts(properties),
  };
}

interface Status {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly severity?: string;
  readonly message?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function statusOf(arm: Arm, id: string): Status {
  const found = arm.store.get(id);
  if (!found) {
    return {
      status: "False",
      reason: "AzureResourceNotFound",
      severity: "Warning",
      message: `The resource ${id} was not found`,
      fields: {},
    };
  }
  const { name, location, tags, properties } = found;
  const prefixes = at(properties, "addressSpace");
  return {
    status: "True",
    reason: "Succeeded",
    fields: {
      id: found.id,
      name,
      ...(location === undefined ? {} : { location }),
      ...(tags === undefined ? {} : { tags }),
      ...(prefixes === undefined ? {} : { addressSpace: prefixes }),
      ...(properties.addressPrefix === undefined ? {} : { addressPrefix: properties.addressPrefix }),
      ...(properties.addressPrefixes === undefined ? {} : { addressPrefixes: properties.addressPrefixes }),
    },
  };
}

async function writeStatus(
  kube: Kube,
  object: LiveObject,
  reference: Parameters<Kube["patch"]>[0],
  { status, reason, severity = "", message = "", fields }: Status,
): Promise<void> {
  const [known] = (at(object.status, "conditions") ?? []) as Record<string, unknown>[];
  const generation = object.metadata.generation ?? 1;
  if (known?.status === status && known.reason === reason && known.observedGeneration === generation) {
    return;
  }
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const condition = { type: "Ready", status, reason, severity, message, observedGeneration: generation };
  await kube.patch(
    { ...reference, status: { conditions: [{ ...condition, lastTransitionTime }], ...fields } },
    "/status",
  );
}
