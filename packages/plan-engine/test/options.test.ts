import * as pulumi from "@pulumi/pulumi";
import { ConfigMap } from "@pulumi/kubernetes/core/v1";
import { Provider } from "@pulumi/kubernetes/provider";
import type { RegisteredResource } from "pulumi-plan-engine";
import { errors, resource, runFixture } from "./run";

/**
 * What children get of the options of the component around them, as with the real engine. Read in pulumi v3.259:
 * inheritFromParent and RegisterResource in pkg/resource/deploy/source_eval.go, and in the Node SDK resource.ts,
 * runtime/resource.ts and runtime/dependsOn.ts.
 */

class Component extends pulumi.ComponentResource {
  constructor(name: string, opts: pulumi.ComponentResourceOptions) {
    super("test:index:Component", name, {}, opts);
    this.registerOutputs();
  }
}

const made = (name: string, opts: pulumi.CustomResourceOptions): ConfigMap =>
  new ConfigMap(name, { metadata: { name } }, opts);

interface Options extends pulumi.ComponentResourceOptions {
  additionalSecretOutputs?: string[];
}

interface World {
  readonly provider: Provider;
  readonly other: Provider;
  readonly first: ConfigMap;
  readonly second: ConfigMap;
  readonly group: Component;
}

/**
 * Runs a program in which a component with these options has a child, a child with options, and a component with a child.
 */
async function familyOf(
  parent: (world: World) => Options,
  own: (world: World) => pulumi.CustomResourceOptions = () => ({}),
): Promise<Record<"child" | "ownChild" | "grandchild", RegisteredResource>> {
  const recording = await runFixture(() => {
    const provider = new Provider("cluster", { kubeconfig: "{}" });
    const other = new Provider("other", { kubeconfig: "{}" });
    const [first, second] = [made("first", { provider }), made("second", { provider })];
    const group = new Component("group", { provider });
    made("in-group", { parent: group });
    const world = { provider, other, first, second, group };
    const around = new Component("parent", { providers: [provider], ...parent(world) });
    made("child", { parent: around });
    made("own-child", { parent: around, ...own(world) });
    made("grandchild", { parent: new Component("inner", { parent: around }) });
  }, "update");
  expect(errors(recording)).toEqual([]);
  const [child, ownChild, grandchild] = ["child", "own-child", "grandchild"].map((name) =>
    resource(recording, name),
  );
  return { child: child!, ownChild: ownChild!, grandchild: grandchild! };
}

const nameOf = (urn: string): string => urn.split("::").at(-1)!;

/** What a recording has of the options below; without what is the same for all. */
const seen = ({ options, provider, dependencies }: RegisteredResource) => {
  const { version, deletedWith, replaceWith, ...others } = options;
  return {
    ...others,
    ...(provider?.name === "cluster" ? {} : { provider: provider?.name }),
    ...(version === "9.9.9" ? { version } : {}),
    ...(deletedWith === undefined ? {} : { deletedWith: nameOf(deletedWith) }),
    ...(replaceWith === undefined ? {} : { replaceWith: replaceWith.map(nameOf) }),
    ...(dependencies.length === 0 ? {} : { dependsOn: dependencies.map(nameOf) }),
  };
};

describe("children of a component", () => {
  it.each<[string, (world: World) => Options, object]>([
    ["deletedWith from the engine", ({ first }) => ({ deletedWith: first }), { deletedWith: "first" }],
    ["retainOnDelete from the engine", () => ({ retainOnDelete: true }), { retainOnDelete: true }],
    ["protect from the SDK", () => ({ protect: true }), { protect: true }],
    ["provider from the SDK", ({ other }) => ({ provider: other }), { provider: "other" }],
    ["a list of providers from the SDK", ({ other }) => ({ providers: [other] }), { provider: "other" }],
    [
      "named providers from the SDK",
      ({ other }) => ({ providers: { kubernetes: other } }),
      { provider: "other" },
    ],
  ])("inherit %s", async (_option, options, inherited) => {
    const { child, grandchild } = await familyOf(options);
    expect([seen(child), seen(grandchild)]).toEqual([inherited, inherited]);
  });

  it.each<[string, (world: World) => Options, (world: World) => pulumi.CustomResourceOptions, object]>([
    [
      "deletedWith",
      ({ first }) => ({ deletedWith: first }),
      ({ second }) => ({ deletedWith: second }),
      { deletedWith: "second" },
    ],
    ["retainOnDelete", () => ({ retainOnDelete: true }), () => ({ retainOnDelete: false }), {}],
    ["protect", () => ({ protect: true }), () => ({ protect: false }), {}],
    ["provider", ({ other }) => ({ provider: other }), ({ provider }) => ({ provider }), {}],
  ])("may have their own %s", async (_option, options, own, expected) => {
    expect(seen((await familyOf(options, own)).ownChild)).toEqual(expected);
  });

  it("cannot refuse an inherited deletedWith, because an undefined one is none", async () => {
    const { ownChild } = await familyOf(
      ({ first }) => ({ deletedWith: first }),
      () => ({ deletedWith: undefined as never }),
    );
    expect(seen(ownChild)).toEqual({ deletedWith: "first" });
  });

  it.each<[string, (world: World) => Options]>([
    // The SDK waits, and the state has no dependency. This is why components hand it to their children: childOf.
    ["dependsOn", ({ first }) => ({ dependsOn: first })],
    // The engine looks for a child under the former names of its parent when it compares with the state.
    ["aliases", () => ({ aliases: [{ name: "former" }] })],
    ["ignoreChanges", () => ({ ignoreChanges: ["data"] })],
    ["customTimeouts", () => ({ customTimeouts: { create: "1h" } })],
    ["replaceOnChanges", () => ({ replaceOnChanges: ["data"] })],
    ["replaceWith", ({ first }) => ({ replaceWith: [first] })],
    ["replacementTrigger", () => ({ replacementTrigger: "now" })],
    ["hideDiffs", () => ({ hideDiffs: ["data"] })],
    ["additionalSecretOutputs", () => ({ additionalSecretOutputs: ["data"] })],
    ["version", () => ({ version: "9.9.9" })],
    ["hooks", () => ({ hooks: { beforeUpdate: [new pulumi.ResourceHook("hook", () => undefined)] } })],
  ])("do not inherit %s", async (_option, options) => {
    const { child, grandchild } = await familyOf(options);
    expect([seen(child), seen(grandchild)]).toEqual([{}, {}]);
  });

  it("are what the SDK makes of a dependency on their component", async () => {
    const { ownChild } = await familyOf(
      () => ({}),
      ({ group }) => ({ dependsOn: [group] }),
    );
    expect(seen(ownChild)).toEqual({ dependsOn: ["in-group"] });
  });
});

describe("transforms", () => {
  it("are run for a resource first, then for each around it, and see what it inherits", async () => {
    const order: string[] = [];
    const note =
      (who: string): pulumi.ResourceTransform =>
      ({ name, opts }) => {
        if (name === "child" || name === "own-child") {
          order.push(`${who} of ${name}${opts.retainOnDelete === true ? ", which is retained" : ""}`);
        }
        return undefined;
      };
    await familyOf(
      () => ({ retainOnDelete: true, transforms: [note("the component's")] }),
      () => ({ transforms: [note("its own")] }),
    );
    expect(order.filter((line) => line.includes("own-child"))).toEqual([
      "its own of own-child, which is retained",
      "the component's of own-child, which is retained",
    ]);
    expect(order).toContain("the component's of child, which is retained");
  });

  it("change what the children of a resource inherit, and which the SDK has not seen", async () => {
    const recording = await runFixture(() => {
      const other = new Provider("other", { kubeconfig: "{}" });
      const first = made("first", { provider: other });
      const changed = { deletedWith: first, protect: true, retainOnDelete: true };
      const transform: pulumi.ResourceTransform = ({ name, props, opts }) =>
        name === "parent"
          ? { props, opts: { ...opts, ...changed } }
          : name === "middle"
            ? { props, opts: { ...opts, provider: other } }
            : undefined;
      const around = new Component("parent", { transforms: [transform] });
      made("child", { parent: made("middle", { parent: around }) });
    }, "update");
    expect(errors(recording)).toEqual([]);
    expect(seen(resource(recording, "child"))).toEqual({
      deletedWith: "first",
      protect: true,
      retainOnDelete: true,
      provider: "other",
    });
  });
});
