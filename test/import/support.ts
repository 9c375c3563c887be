import { applySteps } from "../../config/steps";
import { at } from "capz-windows-kit/untyped";
import { importSource, type Imported } from "../../commands/import/importSource";
import type { ClusterObjects } from "../../commands/import/capz/roles";
import { objectsOfPlan } from "../../commands/import/plan";
import { updateInline } from "../support/inlinePlans";

const plans = new Map<string, Promise<ClusterObjects>>();

/** Objects of the plan of a config, planned in the process of the test, and only once. */
export function planner(config: Readonly<Record<string, unknown>>): Promise<ClusterObjects> {
  const key = JSON.stringify(config);
  const plan = plans.get(key) ?? updateInline(config).then(objectsOfPlan);
  plans.set(key, plan);
  return plan;
}

export const importText = (
  text: string,
  variables: Readonly<Record<string, string>> = {},
  name = "source.yaml",
): Promise<Imported> => importSource([{ name, text }], variables, planner);

/** Variables that a user of CAPZ's templates sets. */
export const templateVariables: Readonly<Record<string, string>> = {
  CLUSTER_NAME: "web",
  KUBERNETES_VERSION: "v1.35.6",
  AZURE_LOCATION: "westeurope",
  AZURE_SUBSCRIPTION_ID: "11111111-2222-4333-8444-555555555555",
  AZURE_TENANT_ID: "11111111-2222-4333-8444-666666666666",
  AZURE_CONTROL_PLANE_MACHINE_TYPE: "Standard_D2s_v3",
  AZURE_NODE_MACHINE_TYPE: "Standard_D4s_v3",
  AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY: "11111111-2222-4333-8444-777777777777",
  CLUSTER_IDENTITY_NAME: "cluster-identity",
  WINDOWS_SERVER_VERSION: "windows-2025",
  AZURE_SSH_PUBLIC_KEY: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV me",
  AZURE_SSH_PUBLIC_KEY_B64: Buffer.from(
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV me",
  ).toString("base64"),
};

const vnet =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/n/providers/Microsoft.Network/virtualNetworks";

/** What an import asks of a network that others have made, or that only they reach. */
export const answers: Readonly<Record<string, unknown>> = {
  "management.name": "platform",
  "management.egressCidrs": ["10.50.0.0/22"],
  "management.oidcIssuerUrl": "https://issuer.example.com/",
  "network.existing.egressCidrs": ["198.51.100.10/32"],
  "network.apiServer.linkedVnetIds": [`${vnet}/platform`],
};

/** The config with answers to what an import asks. */
export const answered = (config: Imported["config"]): Imported["config"] =>
  applySteps(
    config,
    Object.entries(answers)
      .map(([path, value]) => ({ set: path.split("."), value }))
      .filter(({ set }) => at(config, ...set) !== undefined),
  );
