import * as pulumi from "@pulumi/pulumi";

type DependsOn = NonNullable<pulumi.ResourceOptions["dependsOn"]>;

const merged = (dependsOn: DependsOn, further: readonly pulumi.Resource[]): DependsOn =>
  Array.isArray(dependsOn)
    ? [...dependsOn, ...further]
    : pulumi
        .output<pulumi.Resource | pulumi.Input<pulumi.Resource>[]>(dependsOn)
        .apply((found): pulumi.Resource[] => [...(Array.isArray(found) ? found : [found]), ...further]);

/**
 * Options of a component's child: what the component waits for, and further resources. Pulumi itself would create the
 * child in time, but record no dependency, and then delete the two in any order.
 */
export const childOf = (
  parent: pulumi.ComponentResource,
  { dependsOn = [] }: Pick<pulumi.ComponentResourceOptions, "dependsOn"> = {},
  ...further: readonly pulumi.Resource[]
): { parent: pulumi.ComponentResource; dependsOn: DependsOn } => ({
  parent,
  dependsOn: merged(dependsOn, further),
});
