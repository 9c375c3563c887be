import { Provider } from "@pulumi/azure-native/provider";
import { ResourceGroup } from "@pulumi/azure-native/resources";
import { UserAssignedIdentity } from "@pulumi/azure-native/managedidentity";
import * as pulumi from "@pulumi/pulumi";

/**
 * A program with every option of a resource and every way by which it gets one: given, inherited, by a transform of the stack
 * or of a component. Both engines run it.
 */

const group = (name: string, parent: pulumi.Resource, opts: pulumi.CustomResourceOptions = {}) =>
  new ResourceGroup(name, { resourceGroupName: name }, { parent, ...opts });

class Parts extends pulumi.ComponentResource {
  constructor(name: string, args: pulumi.Inputs, opts: pulumi.ComponentResourceOptions) {
    super("test:index:Parts", name, args, opts);
    const plain = group(`${name}-plain`, this);
    group(`${name}-own`, this, {
      protect: false,
      retainOnDelete: false,
      deletedWith: plain,
      dependsOn: plain,
    });
    group(`${name}-false`, this, {
      deleteBeforeReplace: false,
      customTimeouts: { create: "1h30m", delete: "90s" },
    });
    this.registerOutputs({
      known: "a",
      hidden: pulumi.secret("b"),
      later: plain.id,
      both: pulumi.secret(plain.id),
    });
  }
}

/** What a transform of the stack and one of a component change. */
function transformed(provider: Provider): void {
  pulumi.runtime.registerResourceTransform(({ name, props, opts }) =>
    name === "by-stack"
      ? { props: { ...(props as object), tags: { by: "stack" } }, opts: { ...opts, ignoreChanges: ["tags"] } }
      : undefined,
  );
  group("by-stack", provider, { provider, deletedWith: provider });
  new Parts(
    "transformed",
    {},
    {
      providers: [provider],
      transforms: [
        ({ props, opts, custom }) =>
          custom ? { props, opts: { ...opts, protect: true, aliases: [{ name: "old" }] } } : undefined,
      ],
    },
  );
}

function given(provider: Provider, first: ResourceGroup): ResourceGroup {
  const hook = new pulumi.ResourceHook("ask", () => undefined);
  const retry = new pulumi.ErrorHook("retry", () => false);
  return new ResourceGroup(
    "given",
    { location: first.location, tags: { of: first.id } },
    {
      ...{ provider, protect: true, retainOnDelete: true, deleteBeforeReplace: true, dependsOn: [first] },
      ...{ ignoreChanges: ["tags"], replaceOnChanges: ["location"], hideDiffs: ["tags"] },
      ...{ additionalSecretOutputs: ["name"], deletedWith: first, replaceWith: [first] },
      // No secret: of a secret trigger, `preview --json` panics (pulumi v3.274.1 pkg/backend/display/json.go).
      ...{ replacementTrigger: ["a"], customTimeouts: { update: "2m" } },
      aliases: [
        ...["urn:pulumi:s::p::a:b:C::name", { name: "former" }, { parent: pulumi.rootStackResource }],
        ...[
          { type: "azure-native:resources:Group", parent: first },
          { project: "p", stack: "s", name: "n" },
        ],
      ],
      hooks: {
        beforeCreate: [hook],
        afterCreate: [hook],
        beforeUpdate: [hook],
        afterUpdate: [hook],
        beforeDelete: [hook],
        afterDelete: [hook],
        onError: [retry],
      },
    },
  );
}

export = () => {
  const config = new pulumi.Config();
  const provider = new Provider("azure", { subscriptionId: config.require("subscription") });
  const password = config.requireSecret("password");
  const first = new ResourceGroup("first", { tags: { plain: "text", password } }, { provider });
  const { principalId } = new UserAssignedIdentity(
    "identity",
    {
      resourceGroupName: first.name,
      tags: { all: pulumi.all([password, first.id]).apply((both) => both.join()) },
    },
    { provider },
  );
  const { name: hidden } = given(provider, first);
  new Parts(
    "heir",
    { first, list: [principalId, password, 1, true] },
    { providers: [provider], protect: true, retainOnDelete: true, deletedWith: first, dependsOn: [first] },
  );
  transformed(provider);
  return {
    hidden,
    id: first.id,
    name: first.name,
    password,
    principalId: pulumi.secret(principalId),
    nested: { list: [password, "c"] },
  };
};
