import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openAzureReferences } from "../../../plan/checks/azureReferences";
import type { Plan } from "../../../plan/model/plan";
import { openReferences } from "../../../plan/checks/references";
import { updateInline } from "../../support/inlinePlans";
import { minimal } from "../../support/stacks";

/** Plan of a cluster with every kind of reference between resources. */
let plan: Plan;

beforeAll(async () => {
  const access = { ...(minimal().access as object), allowedCidrs: ["203.0.113.0/24"] };
  plan = await updateInline({
    ...minimal(),
    access,
    windowsPools: { win1: {} },
    linuxPools: { linux1: {} },
    sampleWorkload: {},
  });
});

/** References without a target after a text is replaced in all objects of a kind. */
function openAfter(kind: string, from: string | RegExp, to: string): string[] {
  let changed = 0;
  const edit = <T>(value: T): T => {
    const before = JSON.stringify(value);
    const after = before.replaceAll(typeof from === "string" ? from : new RegExp(from, "g"), to);
    changed += before === after ? 0 : 1;
    return JSON.parse(after) as T;
  };
  const editedObjects = (list: Plan["objects"]["management"]) =>
    list.map(({ urn, object }) => ({ urn, object: object.kind === kind ? edit(object) : object }));
  const objects = {
    management: editedObjects(plan.objects.management),
    sample: editedObjects(plan.objects.sample),
    workload: plan.objects.workload.map((stream) => ({
      ...stream,
      objects: stream.objects.map((object) => (object.kind === kind ? edit(object) : object)),
    })),
  };
  const resources = plan.update.resources.map((resource) =>
    resource.type.split(":").at(-1) === kind && resource.type.startsWith("azure-native:")
      ? { ...resource, inputs: edit(resource.inputs) }
      : resource,
  );
  expect(changed).toBeGreaterThan(0);
  return [
    ...openReferences(objects),
    ...openAzureReferences(
      resources,
      objects.management.map(({ object }) => object),
      [],
    ),
  ];
}

it("every reference of a plan has a target", () => {
  const management = plan.objects.management.map(({ object }) => object);
  expect(openReferences(plan.objects)).toEqual([]);
  expect(openAzureReferences(plan.update.resources, management, [])).toEqual([]);
});

/** What is wrong, KIND: TEXT → ANOTHER, and after `=` what is found; HASH and N stand for those of the plan. */
const cases = readFileSync(join(__dirname, "references.txt"), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((paragraph) => {
    const [what = "", change = "", ...found] = paragraph.split("\n");
    const [, kind = "", from = "", to = ""] = /^(\w+): (.*) → (.*)$/.exec(change) ?? [];
    const pattern = /^\/(.*)\/$/.exec(from)?.[1];
    return { what, kind, from: pattern === undefined ? from : new RegExp(pattern), to, found };
  });

it.each(cases)("finds a wrong name for $what", ({ kind, from, to, found }) => {
  const open = openAfter(kind, from, to).map((text) =>
    text
      .replace(/-(?!0{8})[0-9a-f]{8}\b/g, "-HASH")
      .replace(/(?<=[a-z]\.)\d+(?=\.(contentFrom|providerID))/g, "N"),
  );
  expect(open).toEqual(found.map((line) => line.slice(2)));
});

it("accepts a principal that only the stack file names", () => {
  const management = plan.objects.management.map(({ object }) => object);
  const resources = plan.update.resources.map((resource) =>
    resource.name === "cluster-api-identity-controllers-role"
      ? { ...resource, inputs: { ...resource.inputs, principalId: "given" } }
      : resource,
  );
  expect(openAzureReferences(resources, management, ["given"])).toEqual([]);
});
