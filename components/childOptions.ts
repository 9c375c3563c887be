import type * as pulumi from "@pulumi/pulumi";

/** Options of a component whose dependencies are a plain list. */
export type ComponentOptions = Omit<pulumi.ComponentResourceOptions, "dependsOn"> & {
  readonly dependsOn?: pulumi.Resource[];
};

/**
 * Options of a component's child: what the component waits for, and further resources. Pulumi itself would create the
 * child in time, but record no dependency, and then delete the two in any order.
 */
export const childOf = (
  parent: pulumi.ComponentResource,
  { dependsOn = [] }: ComponentOptions,
  ...further: readonly pulumi.Resource[]
): { parent: pulumi.ComponentResource; dependsOn: pulumi.Resource[] } => ({
  parent,
  dependsOn: [...dependsOn, ...further],
});
