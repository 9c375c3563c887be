import { ComponentResource, type Resource } from "@pulumi/pulumi";
import { redact } from "pulumi-plan-engine";
import { componentNames } from "../pages/schema";
import { planExamples } from "./examples";

/** Fields that every resource has from the SDK. */
const ofTheSdk = /^(__\w+|urn)$/;

const fieldsOf = (component: Resource): string[] =>
  Object.entries(component)
    .filter(([key, value]) => !ofTheSdk.test(key) && value !== undefined)
    .map(([key]) => key)
    .sort();

it("every public component registers outputs that equal its public fields", async () => {
  const { recording, made } = await planExamples();
  expect(recording.diagnostics).toEqual([]);
  const components = [...made.values()].filter((one) => one instanceof ComponentResource);
  expect(components.map((one) => one.constructor.name).sort()).toEqual(componentNames());
  const registered = components.map(({ constructor: { name } }) => {
    const found = recording.resources.find(({ type }) => type.endsWith(`:${name}`));
    return [name, Object.keys(redact(found?.registeredOutputs ?? {}) as object).sort()];
  });
  expect(registered).toEqual(components.map((one) => [one.constructor.name, fieldsOf(one)]));
});
