import { isIPv4 } from "node:net";
import type { StackFacts } from "capz-windows-contract";
import { at, list, textAt } from "capz-windows-kit/untyped";
import type { Client } from "./client";
import { judged, type ProbeRow } from "./model";
import { isPublic, namespace, serverText } from "./objects";

export const servicePath = `/api/v1/namespaces/${namespace}/services/probe`;

/** Azure makes a load balancer in a minute or two; the rules of the security group follow. */
const addressSeconds = 8 * 60;
const answerSeconds = 2 * 60;

export interface LoadBalancerOptions {
  readonly facts: StackFacts;
  readonly say: (text: string) => void;
  /** The text that a web server answers to this machine. */
  readonly fetchText: (url: string) => Promise<string>;
}

/**
 * Whether Azure makes a load balancer, and whether it leads to the pods: seen from this machine, because kube-proxy takes the
 * packets of nodes and pods to its address before they leave the machine.
 * @throws EndedError
 */
export async function loadBalancerRows(
  client: Client,
  { facts, fetchText, say }: LoadBalancerOptions,
): Promise<ProbeRow[]> {
  const row = { check: "load-balancer", expected: "an address" };
  const remedy = "Run `npm run doctor -- NAME`: it reads what the cloud provider says about the Service.";
  const found = await client.until(addressSeconds, async () => {
    say("load balancer: waiting for its address");
    const [ingress] = list(at((await client.get(servicePath))?.status, "loadBalancer", "ingress"));
    return textAt(ingress, "ip") || undefined;
  });
  const address = isIPv4(found ?? "") ? found : undefined;
  const made = judged(
    { ...row, where: "Azure", measured: found ?? `none within ${addressSeconds} s` },
    address !== undefined,
    remedy,
  );
  const where = "from this machine";
  if (address === undefined) {
    return [made];
  }
  if (!isPublic(facts)) {
    const measured = "access.allowedCidrs is empty, so the address is one of the VNET";
    return [made, { ...row, where, expected: "", measured, verdict: "not measured" }];
  }
  const answer = await client.until(answerSeconds, async () => {
    const text = await fetchText(`http://${address}/`).catch((error: unknown) => String(error));
    return text === serverText ? text : undefined;
  });
  const expected = "an answer";
  const measured = answer === undefined ? `no answer within ${answerSeconds} s` : expected;
  return [
    made,
    judged(
      { ...row, where, expected, measured },
      answer !== undefined,
      "Is this machine in access.allowedCidrs? If so, compare the rows of service.",
    ),
  ];
}
