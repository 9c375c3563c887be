import { at, isRecord, list, textAt } from "../../tools/untyped";
import type { Plan } from "../../commands/plan/model/plan";
import { capzResources } from "../../commands/preflight/planned/capz";
import type { Planned } from "../../commands/preflight/planned/planned";
import type { Arm } from "./azure/arm";
import { keyOf, parsePath, type Body } from "./azure/resource";
import { zonesOf } from "./azure/skus";

/** Compares what `npm run preflight` asks Azure Policy about with what the real CAPZ sends to Azure. */

/** Fields that preflight cannot know or leaves out on purpose: type, name and path of the field. */
const unknowable: readonly (readonly [field: RegExp, why: string])[] = [
  [
    /^(virtualMachines|disks) \S+-control-plane-\w+: zones\.0$/,
    "Cluster API spreads the control plane over the zones",
  ],
  [/^inboundNatRules \S+: properties\.frontendPort$/, "22 for the first machine, then free ports from 2201"],
  [/osProfile\.customData$/, "the user data, which has the token of the bootstrap"],
  [/osProfile\.adminPassword$/, "made up by CAPZ for each request"],
  [/tags\.capz-custom-data-hash$/, "the hash of the user data"],
  [/^availabilitySets \S+: properties\.platformFaultDomainCount$/, "a property of the region"],
];

interface Sent {
  readonly path: string;
  readonly body: Body;
  readonly apiVersion: string;
}

/** Values at the ends of all paths. `null` is what the SDK sends for a field without a value. */
function leaves(value: unknown, path = ""): [path: string, value: string][] {
  const inner = isRecord(value) || Array.isArray(value) ? Object.entries(value) : [];
  return inner.length > 0
    ? inner.flatMap(([key, each]) => leaves(each, path === "" ? key : `${path}.${key}`))
    : value === null || value === undefined
      ? []
      : [[path, JSON.stringify(value)]];
}

/** Azure itself makes the disks of a single machine, from its storage profile. */
function disksOf({ path, body }: Sent): Sent[] {
  const { location, tags, zones, properties } = body;
  const storage = at(properties, "storageProfile");
  return [at(storage, "osDisk"), ...list(at(storage, "dataDisks"))].map((disk) => {
    const set = textAt(disk, "managedDisk", "diskEncryptionSet", "id");
    return {
      path: path.replace(/virtualMachines\/[^/]+$/, `disks/${textAt(disk, "name")}`),
      apiVersion: "2023-10-02",
      body: JSON.parse(
        JSON.stringify({
          ...{ location, tags, zones, sku: { name: at(disk, "managedDisk", "storageAccountType") } },
          properties: {
            creationData: { createOption: at(disk, "createOption") },
            diskSizeGB: at(disk, "diskSizeGB"),
            ...(set === ""
              ? {}
              : { encryption: { type: "EncryptionAtRestWithCustomerKey", diskEncryptionSetId: set } }),
          },
        }),
      ) as Body,
    };
  });
}

const pathOf = ({ type, name = "", within, scope }: Planned): string =>
  `${scope === undefined ? `${within}/providers/${type}` : `${scope}/${type.split("/").at(-1) ?? ""}`}/${name}`;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** What differs, in words; nothing where CAPZ does what preflight says. */
export function differences(arm: Arm, { resources, cluster }: Plan): string[] {
  const group = `/subscriptions/${cluster.subscriptionId}/resourceGroups/${cluster.resourceGroup}`;
  const puts = [...arm.puts.values()]
    .filter(({ path }) => keyOf(path).startsWith(keyOf(group)))
    .map(({ path, body, query }): Sent => ({ path, body, apiVersion: query.get("api-version") ?? "" }));
  const sent = puts.flatMap((put) =>
    parsePath(put.path)?.type === "Microsoft.Compute/virtualMachines" ? [put, ...disksOf(put)] : [put],
  );
  const asked = new Set<Sent>();
  const differing = capzResources(resources, cluster, zonesOf(cluster.location)).flatMap((planned) => {
    const path = pathOf(planned);
    // Cluster API makes up what is 00000 in the name of a machine.
    const machine = /\/providers\/.*\/([a-z][^/]*?-00000)(?!\d|-0)/.exec(path)?.[1];
    const pattern =
      machine === undefined
        ? escaped(path)
        : escaped(path).replaceAll(
            escaped(machine),
            `(${escaped(machine).replace(/(-0{1,5})+$/, (end) => end.replaceAll("0", "[a-z0-9]"))})`,
          );
    const found = sent.flatMap((one) => {
      const match = new RegExp(`^${pattern}$`).exec(one.path);
      return match ? [{ one, machine: match[1] ?? "" }] : [];
    });
    return found.length === 0
      ? [`${planned.type} ${planned.name ?? ""} is asked about, and CAPZ does not make it`]
      : found.flatMap(({ one, machine: real }) => {
          asked.add(one);
          const text = JSON.stringify(planned.content);
          const content = JSON.parse(machine === undefined ? text : text.replaceAll(machine, real)) as object;
          return compared(one, content, planned.apiVersion);
        });
  });
  return [
    ...new Set([
      ...differing,
      ...sent
        .filter((one) => !asked.has(one))
        .map(({ path }) => `${path.slice(group.length)} is made by CAPZ, and not asked about`),
    ]),
  ];
}

function compared({ path, body, apiVersion }: Sent, content: object, planned: string): string[] {
  const title = path.split("/").slice(-2).join(" ");
  const name = path.split("/").at(-1);
  const ours = new Map([...leaves(content), ["API version", planned]]);
  // Some bodies have the name from the path, too; every question has it.
  const real = new Map([...leaves({ ...body, name: undefined }), ["API version", apiVersion]]);
  return [
    ...(body.name === undefined || body.name === name ? [] : [`${title}: its name is ${body.name}`]),
    ...[...new Set([...ours.keys(), ...real.keys()])]
      .filter((key) => ours.get(key) !== real.get(key))
      .map(
        (key) =>
          `${title}: ${key} is ${ours.get(key) ?? "missing"} in preflight, ${real.get(key) ?? "missing"} at CAPZ`,
      )
      .filter((line) => !unknowable.some(([field]) => field.test(line.replace(/ is .*/s, "")))),
  ];
}
