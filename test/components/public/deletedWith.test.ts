import { DependencyProviderResource } from "@pulumi/pulumi";
import { componentNames } from "../pages/schema";
import { planExamples } from "./examples";

const gone = "urn:pulumi:test::theirs::a:b:Cluster::gone";

/** Components that pass `deletedWith` on only to what lives inside that resource. */
const ownChildren = ["capz-windows:index:ClusterApi"];

it("deletedWith of a program in another language is the whole resource, in every component", async () => {
  // As the SDK's server of plug-ins hands it on: without the name of the URN.
  const { recording } = await planExamples(() => ({ deletedWith: new DependencyProviderResource(gone) }));
  const { diagnostics, resources } = recording;
  expect(diagnostics).toEqual([]);
  const components = componentNames().map((name) => `capz-windows:index:${name}`);
  const found = resources.filter(({ type }) => components.includes(type));
  expect([...new Set(found.map(({ type }) => type))].sort()).toEqual(components);
  const withOption = found.filter(({ options }) => options.deletedWith === gone).map(({ type }) => type);
  expect(withOption.sort()).toEqual(components.filter((type) => !ownChildren.includes(type)));
  const urns = new Set(resources.map(({ urn }) => urn));
  const others = resources.map(({ options }) => options.deletedWith).filter((urn) => urn !== undefined);
  expect(others.filter((urn) => urn !== gone && !urns.has(urn))).toEqual([]);
});
