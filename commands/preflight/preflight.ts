import { bash } from "capz-windows-kit/shell";
import { type Arm, ArmError } from "../azure/arm";
import { addresses, quota } from "./checks/capacity";
import { existingReach } from "./checks/existingReach";
import { existingSubnet, existingVnet } from "./checks/existingNetwork";
import { customRoles } from "./checks/customRoles";
import { keyVaultKeys } from "./checks/keyVault";
import { managementNetwork } from "./checks/managementNetwork";
import { network } from "./checks/network";
import { type Fetch, ownAddress } from "./checks/outside";
import { images, names } from "./checks/resources";
import { foreign, registries, roles } from "./checks/rights";
import { privateLinkRows } from "./checks/privateLink";
import { privateApiServerRows } from "./checks/privateApiServer";
import { sizes, sizesOf } from "./checks/sizes";
import { features, providers, subscription } from "./checks/subscription";
import { peering, peeringOfStack } from "./checks/peerings";
import { wayOut } from "./checks/wayOut";
import type { Plan } from "../../plan/model/plan";
import type { Needs } from "./needs";
import { type Row, row } from "./row";
import { present } from "capz-windows-kit/present";
import { mostOfRemedy, oneLine } from "capz-windows-kit/visible";

/** Runs all checks of a stack and sorts the results, errors first. Reads only. */

const order: readonly Row["state"][] = ["error", "warning", "unknown", "ok"];

/**
 * The row of a check that Azure did not answer: the reason, and what to do.
 * @throws LoginError, and every error that is not Azure's
 */
function unanswered(check: string, error: unknown): Row {
  if (!(error instanceof ArmError)) {
    throw error;
  }
  const { status, code, message } = error;
  const [, namespace] = /namespace '([\w.]+)'/.exec(message) ?? [];
  if (code === "MissingSubscriptionRegistration" && namespace !== undefined) {
    return row(
      "unknown",
      check,
      `${namespace}, which answers this, is not registered in the subscription`,
      bash`az provider register --namespace ${namespace} --wait`,
    );
  }
  const unknown = (why: string, remedy: string): Row => row("unknown", check, why, remedy);
  if (code === "NotAzure" || status === 0) {
    return unknown(status === 0 ? `${code}: ${message}` : message, "curl -I https://management.azure.com");
  }
  if (status === 401 || status === 403) {
    return unknown(
      `this login is not authorized to read this: ${code}`,
      "az role assignment create --role Reader --assignee YOU --scope /subscriptions/ID",
    );
  }
  if (status === 429) {
    return unknown(
      `Azure throttles requests to this subscription: ${message}`,
      "Wait a few minutes, then run it again.",
    );
  }
  return unknown(`Azure answers ${status} ${code}: ${message}`, "https://azure.status.microsoft");
}

/**
 * @param plan - makes the plan of the stack, which is only needed where the subscription can be used
 * @throws LoginError, and what `plan` throws
 */
export async function preflight(
  arm: Arm,
  settingsNeed: Needs,
  plan: () => Promise<Pick<Plan, "resources" | "cluster">>,
  get: Fetch,
): Promise<Row[]> {
  const safely = (check: string, run: Promise<Row[]>): Promise<Row[]> =>
    run.catch((error: unknown) => [unanswered(check, error)]);
  // This check comes first, because without a subscription the others make no sense.
  const first = await safely("subscription", subscription(arm, settingsNeed));
  if (first.some(({ state, check }) => state !== "ok" && check === "subscription")) {
    return first;
  }
  const { resources, cluster } = await plan();
  const needs = { ...settingsNeed, peerings: { ...settingsNeed.peerings, ...peeringOfStack(resources) } };
  const known = sizesOf(arm, needs);
  // It is awaited below; a rejection must not end the process before that.
  known.catch(() => undefined);
  const { existing, workload, apiServer } = needs;
  const rows = await Promise.all(
    present(
      safely("resource providers", providers(arm, needs)),
      safely("features", features(arm, needs)),
      safely("roles", roles(arm, needs)),
      safely("resources of others", foreign(arm, needs)),
      safely("container registries", registries(arm, needs)),
      safely("keys in Key Vault", keyVaultKeys(arm, needs)),
      safely("custom roles", customRoles(arm, cluster)),
      safely(
        "sizes",
        known.then((all) => sizes(needs, all)),
      ),
      safely(
        "quota",
        known.then((all) => quota(arm, needs, all, cluster)),
      ),
      safely("public addresses", addresses(arm, needs, cluster.quota)),
      ...(workload
        ? [
            safely("images", images(arm, needs)),
            safely("names", names(arm, needs)),
            safely(existing === undefined ? "network" : "resource group", network(arm, needs)),
            safely("way out", wayOut(arm, needs)),
          ]
        : []),
      ...(existing === undefined
        ? []
        : [
            safely("network", existingVnet(arm, existing, needs)),
            safely("paths", existingReach(arm, existing, { resources, cluster })),
            // One by one: a subnet that may not be read hides nothing about the others.
            ...existing.subnets.map((subnet) =>
              safely(`subnet ${subnet.name}`, existingSubnet(arm, subnet, existing)),
            ),
          ]),
      ...Object.keys(needs.peerings)
        .sort()
        .map((name) => safely(`peering ${name}`, peering(arm, name, needs))),
      apiServer !== undefined && safely("private API server", privateApiServerRows(arm, apiServer)),
      cluster.apiServer.private?.link !== undefined &&
        safely("private link", privateLinkRows(arm, cluster.apiServer.private.link, { resources, existing })),
      safely("management network", managementNetwork(arm, needs)),
      ownAddress(needs, get),
    ),
  );
  return [...first, ...rows.flat()].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

/** 0: nothing stands in the way; 2: warnings, or checks without an answer; 3: `pulumi up` would fail. */
export function exitCode(rows: readonly Row[]): 0 | 2 | 3 {
  if (rows.some(({ state }) => state === "error")) {
    return 3;
  }
  return rows.some(({ state }) => state !== "ok") ? 2 : 0;
}

const marks: Readonly<Record<Row["state"], string>> = { error: "x", warning: "!", unknown: "?", ok: "✓" };

export function formatRows(rows: readonly Row[], stack: string): string {
  const checks = rows.map(({ check }) => oneLine(check, 100));
  const width = Math.max(0, ...checks.map((check) => check.length));
  const lines = rows.flatMap(({ state, found, remedy }, index) => [
    `${marks[state]} ${(checks[index] ?? "").padEnd(width)}  ${oneLine(found)}`,
    ...remedy.map((line) => `  ${"".padEnd(width)}    ${oneLine(line, mostOfRemedy)}`),
  ]);
  return `${[...lines, "", verdict(rows, stack)].join("\n")}\n`;
}

function verdict(rows: readonly Row[], stack: string): string {
  const errors = rows.filter(({ state }) => state === "error").length;
  if (errors > 0) {
    return `${errors} ${errors === 1 ? "thing stands" : "things stand"} in the way of pulumi up --stack ${stack}.`;
  }
  const warnings = rows.filter(({ state }) => state === "warning").length;
  const unchecked = rows.filter(({ state }) => state === "unknown").length;
  const open = present(
    unchecked > 0 && `${unchecked} ${unchecked === 1 ? "thing was" : "things were"} not checked (?)`,
    warnings > 0 && `${warnings} ${warnings === 1 ? "line warns" : "lines warn"} (!)`,
  );
  if (open.length > 0) {
    return `Nothing is known to stand in the way; ${open.join(", ")}.`;
  }
  return `Nothing that was asked stands in the way of pulumi up --stack ${stack}.`;
}
