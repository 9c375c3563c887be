import { Provider as Azure } from "@pulumi/azure-native/provider";
import { Provider as Kubernetes } from "@pulumi/kubernetes/provider";
import type * as pulumi from "@pulumi/pulumi";
import { plan } from "pulumi-plan-engine";
import { isRecord } from "capz-windows-kit/untyped";
import * as components from "../../../components";
import { clouds } from "../../../plan/simulation";
import { projectDir } from "../../support/projectDir";
import { componentOf, inOrder, readExamples, referenceOf, tokenOf, type Example } from "../pages/program";

/** The examples of the components as a program in this process: one of each public component. */

type Make = new (name: string, args: object, opts: object) => pulumi.Resource;

const providers: Readonly<Record<string, unknown>> = { "azure-native": Azure, kubernetes: Kubernetes };

/** A value of an example, with the resources and outputs to which it refers. */
function resolved(value: unknown, made: ReadonlyMap<string, pulumi.Resource>): unknown {
  const found = referenceOf(value);
  if (found !== undefined) {
    const resource = made.get(found.resource);
    return found.output === undefined ? resource : Reflect.get(resource ?? {}, found.output);
  }
  if (Array.isArray(value)) {
    return value.map((one) => resolved(one, made));
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one, made)]))
    : value;
}

function make(name: string, example: Example, made: ReadonlyMap<string, pulumi.Resource>, more: object) {
  const isComponent = tokenOf(example) !== undefined;
  const classes: Readonly<Record<string, unknown>> = isComponent ? components : providers;
  const { deletedWith, ...options } = example.options ?? {};
  // A program in another language names the component, and one in TypeScript its Cluster.
  const { cluster } = (resolved(deletedWith, made) ?? {}) as { readonly cluster?: pulumi.Resource };
  const opts = {
    ...(resolved(options, made) as object),
    ...(cluster === undefined ? {} : { deletedWith: cluster }),
    ...(isComponent ? more : {}),
  };
  return new (classes[componentOf(example)] as Make)(
    name,
    resolved(example.properties, made) as object,
    opts,
  );
}

/**
 * Plans all examples.
 * @param more - further options of each component
 * @returns the recording, and what was made, by its name in the examples
 */
export async function planExamples(more: () => object = () => ({})) {
  const examples = readExamples();
  const made = new Map<string, pulumi.Resource>();
  const recording = await plan({
    ...{ projectDir, project: "theirs", stack: "test", mode: "update", simulate: clouds },
    program: () => {
      for (const name of inOrder(examples)) {
        made.set(name, make(name, examples[name]!, made, more()));
      }
    },
  });
  return { recording, made };
}
