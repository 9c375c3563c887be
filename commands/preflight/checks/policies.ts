import { at, list, textAt } from "../../../tools/untyped";
import { type Arm, ArmError, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import type { Planned } from "../planned/planned";
import { orOk, type Row, rowsOf } from "../row";

/**
 * Whether a policy with the effect deny forbids one of the resources that the stack will create.
 * https://learn.microsoft.com/rest/api/policyinsights/policy-restrictions (2023-03-01)
 */

const apiVersion = "2023-03-01";

const { error, warning, unknown, ok } = rowsOf("policies");

/** What a question cannot cover, for the reader of the table. */
const limits =
  "Not asked: what AKS makes in its node resource group, what Kubernetes makes later for Services and volumes, data-plane policies," +
  " and the content of policies that change or add resources. Addresses and principals that Azure assigns are stand-ins.";

/** A resource that a policy forbids, or about which Azure gave no result. */
interface Finding {
  readonly assignment: string;
  readonly resource: Planned;
  readonly reason: string;
  /** Azure's word where it could not evaluate the policy. */
  readonly failure?: string;
}

async function ask(arm: Arm, scope: string, resource: Planned): Promise<Finding[]> {
  const { type, name, apiVersion: version, content } = resource;
  let answer: unknown;
  try {
    answer = await arm.ask(
      `${scope}/providers/Microsoft.PolicyInsights/checkPolicyRestrictions`,
      apiVersion,
      {
        resourceDetails: {
          resourceContent: { type, ...(name === undefined ? {} : { name }), ...content },
          apiVersion: version,
          ...(resource.scope === undefined ? {} : { scope: resource.scope }),
        },
      },
    );
  } catch (error) {
    // Azure refuses this question, and may answer the others.
    if (error instanceof ArmError && error.status === 400) {
      return [{ assignment: "", resource, reason: "", failure: `${error.code}: ${error.message}` }];
    }
    throw error;
  }
  return (
    list(at(answer, "contentEvaluationResult", "policyEvaluations"))
      // An evaluation without an effect is of a deny: others are left out unless one asks for them.
      .filter((evaluation) => /^(deny)?$/i.test(textAt(evaluation, "effectDetails", "policyEffect")))
      .map((evaluation) => {
        const result = textAt(evaluation, "evaluationResult");
        return {
          assignment: textAt(evaluation, "policyInfo", "policyAssignmentId"),
          resource,
          reason: textAt(evaluation, "evaluationDetails", "reason"),
          ...(result === "NonCompliant" ? {} : { failure: result }),
        };
      })
  );
}

const isDisk = ({ resource: { type } }: Finding): boolean => type === "Microsoft.Compute/disks";

/** "Microsoft.Network/publicIPAddresses a, b; Microsoft.Network/natGateways c" */
function listed(resources: readonly Planned[]): string {
  const types = [...new Set(resources.map(({ type }) => type))];
  return types
    .map((type) => {
      const names = resources.filter((one) => one.type === type).flatMap(({ name }) => name ?? []);
      return `${type} ${names.join(", ")}`.trim();
    })
    .join("; ");
}

/** One row for all resources that an assignment forbids. */
function forbidden(findings: readonly Finding[]): Row[] {
  const [first] = findings;
  if (first === undefined) {
    return [];
  }
  const reason = findings.map((finding) => finding.reason).find((text) => text !== "");
  const name = first.assignment.split("/").at(-1) ?? "";
  const all = listed(findings.map(({ resource }) => resource));
  const onlyDisks = findings.every(isDisk);
  return [
    (onlyDisks ? warning : error)(
      `${name} forbids ${all} as planned${reason === undefined ? "" : `: ${reason}`}${onlyDisks ? "; Azure may exempt disks that it makes with a machine" : ""}`,
      `az resource show --ids ${first.assignment}`,
      "capz-windows:tags: {NAME: VALUE}   # if the policy requires tags; otherwise ask for an exemption",
    ),
  ];
}

export async function policies(
  arm: Arm,
  { subscriptionId }: Needs,
  planned: readonly Planned[],
): Promise<Row[]> {
  // If a resource group exists, its policies count, too.
  const places = [...new Set(planned.map(({ within }) => within))];
  const groups = new Map(
    await Promise.all(
      places.map(async (within): Promise<readonly [string, string]> => {
        const group = within.includes("/resourceGroups/")
          ? await orMissing(arm.get(within, "2021-04-01"))
          : undefined;
        const [, , subscription = subscriptionId] = within.split("/");
        return [within, group === undefined ? `/subscriptions/${subscription}` : within];
      }),
    ),
  );
  const findings = (
    await Promise.all(
      planned.map((resource) => ask(arm, groups.get(resource.within) ?? resource.within, resource)),
    )
  ).flat();
  const denied = findings.filter(({ failure }) => failure === undefined);
  const assignments = [...new Set(denied.map(({ assignment }) => assignment))];
  const rows = [
    ...assignments.flatMap((each) => forbidden(denied.filter(({ assignment }) => assignment === each))),
    ...findings
      .filter(({ failure }) => failure !== undefined)
      .map(({ assignment, resource, failure = "" }) =>
        unknown(
          `Azure Policy gives no result for ${listed([resource])}${assignment === "" ? "" : ` and ${assignment.split("/").at(-1) ?? ""}`}: ${failure}`,
          ...(assignment === "" ? [] : [`az resource show --ids ${assignment}`]),
        ),
      ),
  ];
  return orOk(rows, ok(`no policy denies the ${planned.length} resources that are planned`, limits));
}
