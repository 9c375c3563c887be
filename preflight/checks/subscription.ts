import { at, list, textAt } from "../../domain/untyped";
import { type Arm, ArmError, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { type Row, row } from "../row";

/** The subscription, its resource providers and their features, and its policies. */

/** https://learn.microsoft.com/rest/api/resources/subscriptions/get */
export async function subscription(arm: Arm, { subscriptionId, tenantId }: Needs): Promise<Row[]> {
  const check = "subscription";
  let found: unknown;
  try {
    found = await arm.get(`/subscriptions/${subscriptionId}`, "2022-12-01");
  } catch (error) {
    if (error instanceof ArmError && (error.status === 404 || error.status === 401 || error.status === 403)) {
      return [
        row(
          "error",
          check,
          `${subscriptionId} does not exist, or this login has no access to it: ${error.code}`,
          `az login --tenant ${tenantId}`,
          'az account list --query "[].{id:id, tenant:tenantId}" -o table   # then capz-windows:azure: {subscriptionId: ID}',
        ),
      ];
    }
    throw error;
  }
  const state = textAt(found, "state");
  const tenant = textAt(found, "tenantId");
  return [
    state === "Enabled"
      ? row("ok", check, `${textAt(found, "displayName")} is enabled`)
      : row(
          "error",
          check,
          `${textAt(found, "displayName")} is ${state}`,
          "https://learn.microsoft.com/azure/cost-management-billing/manage/subscription-disabled",
        ),
    ...(tenant === "" || tenant === tenantId
      ? []
      : [
          row(
            "error",
            "tenant",
            `the subscription is in the tenant ${tenant}, and the stack file says ${tenantId}`,
            `capz-windows:azure: {tenantId: ${tenant}}`,
          ),
        ]),
  ];
}

/** https://learn.microsoft.com/rest/api/resources/providers/list */
export async function providers(arm: Arm, { subscriptionId, providers: wanted }: Needs): Promise<Row[]> {
  const found = await arm.list(`/subscriptions/${subscriptionId}/providers`, "2021-04-01");
  const missing = wanted.filter(
    (name) =>
      !found.some(
        (provider) =>
          textAt(provider, "namespace").toLowerCase() === name.toLowerCase() &&
          textAt(provider, "registrationState") === "Registered",
      ),
  );
  return missing.length === 0
    ? [row("ok", "resource providers", `${wanted.length} are registered`)]
    : missing.map((name) =>
        row(
          "error",
          "resource providers",
          `${name} is not registered`,
          `az provider register --namespace ${name} --wait`,
        ),
      );
}

/** https://learn.microsoft.com/rest/api/resources/features/get */
export async function features(arm: Arm, { subscriptionId, features: wanted }: Needs): Promise<Row[]> {
  const rows = await Promise.all(
    wanted.map(async ({ namespace, name, path }) => {
      const found = await orMissing(
        arm.get(
          `/subscriptions/${subscriptionId}/providers/Microsoft.Features/providers/${namespace}/features/${name}`,
          "2021-07-01",
        ),
      );
      const state = textAt(found, "properties", "state") || "NotRegistered";
      return row(
        state === "Registered" ? "ok" : "error",
        "features",
        state === "Registered"
          ? `${namespace}/${name} is registered`
          : `${namespace}/${name}, for ${path}, is ${state}`,
        ...(state === "Registered"
          ? []
          : [
              `az feature register --namespace ${namespace} --name ${name}   # takes some minutes`,
              `az provider register --namespace ${namespace}   # once it is Registered`,
            ]),
      );
    }),
  );
  return rows;
}

interface Planned {
  readonly type: string;
  readonly apiVersion: string;
  readonly content: Readonly<Record<string, unknown>>;
}

const planned = ({ location, tags, machines, makesAks }: Needs): Planned[] => [
  {
    type: "Microsoft.Network/publicIPAddresses",
    apiVersion: "2023-05-01",
    content: {
      location,
      tags,
      sku: { name: "Standard" },
      properties: { publicIPAllocationMethod: "Static" },
    },
  },
  {
    type: "Microsoft.Network/virtualNetworks",
    apiVersion: "2023-05-01",
    content: { location, tags, properties: {} },
  },
  // CAPZ tags machines with its own tags and those of the AzureCluster.
  ...[...new Set(machines.map(({ type, vmSize }) => `${type}/${vmSize}`))].map((each) => {
    const [type = "", vmSize = ""] = each.split("/");
    return {
      type: `Microsoft.Compute/${type}`,
      apiVersion: "2024-03-01",
      content:
        type === "virtualMachines"
          ? { location, tags, properties: { hardwareProfile: { vmSize } } }
          : { location, tags, sku: { name: vmSize }, properties: {} },
    };
  }),
  ...(makesAks
    ? [
        {
          type: "Microsoft.ContainerService/managedClusters",
          apiVersion: "2024-09-01",
          content: { location, tags, properties: {} },
        },
      ]
    : []),
];

/**
 * Whether an Azure policy denies one of the planned resources. If the resource group exists, its policies count, too.
 * https://learn.microsoft.com/rest/api/policyinsights/policy-restrictions/check-at-subscription-scope
 */
export async function policies(arm: Arm, needs: Needs): Promise<Row[]> {
  const subscriptionScope = `/subscriptions/${needs.subscriptionId}`;
  const groupScope = `${subscriptionScope}/resourceGroups/${needs.resourceGroup}`;
  const group = await orMissing(arm.get(groupScope, "2021-04-01"));
  const scope = group === undefined ? subscriptionScope : groupScope;
  const path = `${scope}/providers/Microsoft.PolicyInsights/checkPolicyRestrictions`;
  const rows = await Promise.all(
    planned(needs).map(async ({ type, apiVersion, content }) => {
      const answer = await arm.ask(path, "2022-03-01", {
        resourceDetails: { resourceContent: { type, ...content }, apiVersion },
      });
      return list(at(answer, "contentEvaluationResult", "policyEvaluations"))
        .filter(
          (evaluation) =>
            textAt(evaluation, "evaluationResult") === "NonCompliant" &&
            /^(deny)?$/i.test(textAt(evaluation, "effectDetails", "policyEffect")),
        )
        .map((evaluation) => {
          const assignment = textAt(evaluation, "policyInfo", "policyAssignmentId");
          return row(
            "error",
            "policies",
            `${assignment.split("/").at(-1) ?? ""} forbids ${type} as planned${textAt(evaluation, "evaluationDetails", "reason") === "" ? "" : `: ${textAt(evaluation, "evaluationDetails", "reason")}`}`,
            `az resource show --ids ${assignment}`,
            "capz-windows:tags: {NAME: VALUE}   # if the policy requires tags; otherwise ask for an exemption",
          );
        });
    }),
  );
  return rows.flat().length === 0 ? [row("ok", "policies", "no policy denies what is planned")] : rows.flat();
}
