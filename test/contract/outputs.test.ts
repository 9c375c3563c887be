import { outputsSchema, parseManagementOutputs } from "capz-windows-contract";
import { redact } from "pulumi-plan-engine";
import { isRecord, type Plain } from "capz-windows-kit/untyped";
import { exampleStacks, furtherStacks, planOf } from "../support/plans";

async function outputsOf(stack: string): Promise<Plain> {
  const outputs = redact((await planOf(stack)).update.outputs);
  return isRecord(outputs) ? outputs : {};
}

const shared = ["management", "private-management"];
const workloads = [...exampleStacks, ...furtherStacks].filter((stack) => !shared.includes(stack));

it.each(workloads)("the outputs of %s have what tools read", async (stack) => {
  const outputs = await outputsOf(stack);
  const read = outputsSchema.parse(outputs);
  expect(outputs).toMatchObject(read);
  expect(Object.keys(read)).toEqual(
    expect.arrayContaining(["managementKubeconfig", "mtu", "podMtu", "nextSteps"]),
  );
});

it("each output that tools read is one of an example", async () => {
  const stacks = new Set([...exampleStacks, ...furtherStacks, "spoke"]);
  const all = await Promise.all([...stacks].map(outputsOf));
  const written = new Set(all.flatMap(Object.keys));
  expect(Object.keys(outputsSchema.shape).filter((name) => !written.has(name))).toEqual(["outputsVersion"]);
});

it.each(shared)("all outputs of %s are read, by tools or by other stacks", async (stack) => {
  const outputs = await outputsOf(stack);
  const byOthers = parseManagementOutputs(outputs);
  expect({
    ...outputsSchema.parse(outputs),
    ...("outputs" in byOthers ? byOthers.outputs : byOthers),
  }).toEqual(outputs);
});
