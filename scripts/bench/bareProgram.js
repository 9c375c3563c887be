"use strict";

/** A program that registers the resources of a plan as plan.json has recorded them. */
const bareProgram = `
import * as pulumi from "@pulumi/pulumi";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const { resources } = JSON.parse(readFileSync(join(__dirname, "recorded", pulumi.getStack(), "plan.json"), "utf8"));
const recorded = new Map<string, any>(resources.map((each: any) => [each.urn, each]));
const registered = new Map<string, any>();

function register(urn: string | undefined): any {
  const { type, name, custom, inputs, parent, provider, dependencies = [] } = recorded.get(urn ?? "") ?? {};
  if (urn === undefined || type === undefined || type === "pulumi:pulumi:Stack") {
    return undefined;
  }
  if (!registered.has(urn)) {
    const dependsOn = dependencies.flatMap((each: string) => register(each) ?? []);
    const options: any = { parent: register(parent), provider: register(provider), dependsOn };
    const resource = type.startsWith("pulumi:providers:")
      ? new pulumi.ProviderResource(type.split(":")[2], name, inputs, options)
      : custom
        ? new pulumi.CustomResource(type, name, inputs, options)
        : new pulumi.ComponentResource(type, name, {}, options);
    registered.set(urn, resource);
  }
  return registered.get(urn);
}

for (const { urn } of resources) {
  register(urn);
}
export const count = registered.size;
`;

module.exports = { bareProgram };
