import { Arm, type ArmOptions } from "../../commands/azure/arm";
import { needsOf } from "../../commands/preflight/needs";
import { preflight } from "../../commands/preflight/preflight";
import type { Row } from "../../commands/preflight/row";
import type { Plan } from "../../plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import { minimal, factsWith } from "../support/stacks";
import { ArmStandIn, type Change, own } from "./armStandIn";

/** The preflight of a small stack against the simulated Resource Manager. */

export const stack = {
  windowsPools: { win1: { replicas: 2, zones: ["1"] } },
  linuxPools: { linux1: { replicas: 1 } },
  access: {
    sshPublicKey:
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV example-replace-me",
    allowedCidrs: ["203.0.113.0/24"],
  },
};

export const azure = new ArmStandIn();
let address = "";

/** Of the simulated Resource Manager. */
export const endpoint = (): string => address;

/** Starts and ends the simulation with the tests of a file. */
export function withAzure(): void {
  beforeAll(async () => {
    address = await azure.listen();
  });
  beforeEach(() => {
    azure.change = () => undefined;
    azure.asked.length = 0;
  });
  afterAll(() => {
    azure.close();
  });
}

const plans = new Map<string, Promise<Plan>>();

/** The plan of the stack with a change, made once. */
export function planOf(more: Record<string, unknown> = {}): Promise<Plan> {
  const key = JSON.stringify(more);
  const plan = plans.get(key) ?? updateInline({ ...minimal(), ...stack, ...more });
  plans.set(key, plan);
  return plan;
}

/** Rows of the preflight. */
export async function rowsOf(
  change: Change = () => undefined,
  more: Record<string, unknown> = {},
  { get = own("203.0.113.7"), arm = {} }: { get?: typeof fetch; arm?: Partial<ArmOptions> } = {},
): Promise<Row[]> {
  azure.change = change;
  const needs = needsOf(factsWith({ ...stack, ...more }));
  return preflight(
    new Arm({
      ...{ endpoint: address, token: () => Promise.resolve("simulated"), sleep: () => Promise.resolve() },
      ...arm,
    }),
    needs,
    () => planOf(more),
    get,
  );
}

export const worst = (rows: readonly Row[]): string[] =>
  rows.filter(({ state }) => state !== "ok").map(({ state, check, found }) => `${state} ${check}: ${found}`);
