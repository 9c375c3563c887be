import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ComponentResource } from "@pulumi/pulumi";
import { Analyzer } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema } from "@pulumi/pulumi/provider/experimental/schema";
import * as components from "../../../components";
import { projectDir } from "../../support/stacks";

/**
 * The schema of the components for programs in other languages. The SDK's own analyzer reads their source, as it does
 * when `pulumi package add` asks the plug-in for its schema.
 */

const names = Object.entries(components)
  .filter(([, value]) => typeof value === "function" && value.prototype instanceof ComponentResource)
  .map(([name]) => name)
  .sort();

interface Property {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly items?: Property;
  readonly additionalProperties?: Property;
}

interface Schema {
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly inputProperties: Readonly<Record<string, Property>>;
        readonly requiredInputs: readonly string[];
        readonly properties: Readonly<Record<string, Property>>;
      }
    >
  >;
  readonly types: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Property>> }>>;
}

describe("the components as a plug-in", () => {
  const manifest = { name: "capz-windows", version: "0.0.0", main: "components/index.ts" };
  const analyzer = new Analyzer(projectDir, "capz-windows", manifest, new Set(names));
  const { components: found, typeDefinitions, dependencies } = analyzer.analyze();
  const schema = generateSchema(
    "capz-windows",
    "0.0.0",
    "",
    found,
    typeDefinitions,
    dependencies,
  ) as unknown as Schema;
  const fields = [
    ...Object.entries(schema.resources).flatMap(([token, { inputProperties, properties }]) =>
      Object.entries({ ...properties, ...inputProperties }).map(
        ([field, property]) => [`${token}.${field}`, property] as const,
      ),
    ),
    ...Object.entries(schema.types).flatMap(([token, { properties = {} }]) =>
      Object.entries(properties).map(([field, property]) => [`${token}.${field}`, property] as const),
    ),
  ];

  it("are all public components, with the type tokens that the state has", () => {
    expect(names).toEqual([
      ...[
        "ApiServerZone",
        "AzureBastion",
        "ClusterApi",
        "ClusterAutoscaler",
        "ClusterResourceSet",
        "ExistingNetwork",
        "LinuxControlPlane",
        "LinuxPool",
      ],
      "ManagementCluster",
      ...[
        "RunningPools",
        "SampleWorkload",
        "UpgradeOrder",
        "VirtualNetwork",
        "VnetPeerings",
        "WindowsPool",
        "WindowsWorkload",
        "WorkloadCluster",
      ],
    ]);
    expect(Object.keys(schema.resources).sort()).toEqual(names.map((name) => `capz-windows:index:${name}`));
  });

  it("describe every input, output and field, and each component", () => {
    expect(fields.length).toBeGreaterThan(100);
    expect(fields.filter(([, { description = "" }]) => description === "").map(([path]) => path)).toEqual([]);
    for (const { description = "" } of Object.values(schema.resources)) {
      expect(description).toMatch(/^[A-Z].*\.$/s);
      expect(description).not.toContain("[object");
    }
  });

  it("have no field of an unknown type, and none that only TypeScript programs could set", () => {
    const leaves = ({ items, additionalProperties, ...own }: Property): Property[] => [
      own,
      ...(items ? leaves(items) : []),
      ...(additionalProperties ? leaves(additionalProperties) : []),
    ];
    const odd = fields.filter(([, property]) =>
      leaves(property).some(({ $ref = "" }) => /Any$|index:Resource$|\/resources\//.test($ref)),
    );
    expect(odd.map(([path]) => path)).toEqual([]);
  });

  it("require only what has no good default", () => {
    const required = Object.fromEntries(
      Object.entries(schema.resources).map(([token, { requiredInputs }]) => [
        token.split(":").at(-1),
        [...requiredInputs].sort(),
      ]),
    ) as Record<string, string[]>;
    expect(required).toEqual({
      ApiServerZone: [
        ...["clusterName", "ip", "resourceGroupName", "subscriptionId", "tenantId", "vnetId", "zoneName"],
      ],
      ClusterApi: [
        ...["clusterName", "location", "resourceGroup", "resourceGroupId", "subscriptionId", "tenantId"],
      ],
      ClusterAutoscaler: ["clusterName", "kubernetesVersion"],
      ClusterResourceSet: ["clusterSelector", "entries", "name", "namespace"],
      ExistingNetwork: ["existing", "location", "resourceGroup", "subnetCidrs"],
      LinuxControlPlane: ["clusterName", "identityId", "kubernetesVersion", "location", "sshPublicKey"],
      LinuxPool: ["clusterName", "kubernetesVersion", "location", "poolName", "sshPublicKey"],
      ManagementCluster: [],
      RunningPools: ["namespace", "pools"],
      SampleWorkload: ["allowedCidrs", "clusterIdentifier", "kubeconfig"],
      UpgradeOrder: ["clusterName", "controlPlaneId", "namespace"],
      AzureBastion: ["clusterName", "location", "resourceGroupName", "vnetId"],
      VirtualNetwork: ["clusterName", "location"],
      VnetPeerings: [
        ...["clusterName", "peerings", "resourceGroupName", "subscriptionId", "tenantId", "vnetId"],
      ],
      WindowsPool: ["clusterName", "kubernetesVersion", "location", "poolName", "sshPublicKey"],
      WindowsWorkload: ["image"],
      WorkloadCluster: ["clusterName", "identityName", "kubernetesVersion", "location", "subscriptionId"],
    });
  });
});

it("the plug-in's entry is the barrel of the components, and the stack's is index.ts", () => {
  expect(JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8"))).toMatchObject({
    main: "components/index.ts",
    types: "components/index.ts",
  });
});
