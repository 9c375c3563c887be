import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../../support/stacks";
import { componentNames, componentSchema, type Property } from "../pages/schema";

/**
 * The schema of the components for programs in other languages. The SDK's own analyzer reads their source, as it does
 * when `pulumi package add` asks the plug-in for its schema. A part of test/components/pages, because that takes seconds.
 */

const names = componentNames();

describe("the components as a plug-in", () => {
  const schema = componentSchema();
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

it("programs import the barrel of the components, Pulumi starts the plug-in, and the stack's entry is index.ts", () => {
  expect(JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8"))).toMatchObject({
    main: "scripts/plugin.js",
    types: "components/index.ts",
    exports: { ".": "./components/index.ts" },
  });
});
