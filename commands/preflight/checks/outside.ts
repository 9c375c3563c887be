import { parse, parseCIDR } from "ipaddr.js";
import { textAt } from "capz-windows-kit/untyped";
import type { Needs } from "../needs";
import { orOk, type Row, rowsOf } from "../row";

/** A check outside of Azure: this machine's public address. */

export type Fetch = typeof fetch;

const timeoutMs = 20_000;

const reason = (error: unknown): string =>
  textAt(error, "cause", "code") || textAt(error, "name") || String(error);

/** Answers with the address of the client, as plain text. */
const addressService = "https://checkip.amazonaws.com";

export async function ownAddress({ allowed }: Needs, get: Fetch): Promise<Row[]> {
  const { error, warning, unknown, ok } = rowsOf("own address");
  const limited = Object.entries(allowed).filter(([, cidrs]) => cidrs.length > 0);
  if (limited.length === 0) {
    return [];
  }
  let address: string;
  try {
    address = (await (await get(addressService, { signal: AbortSignal.timeout(timeoutMs) })).text()).trim();
    parse(address);
  } catch (error) {
    return [
      unknown(
        `your public address is unknown: ${reason(error)}`,
        `Compare it with ${limited.map(([key]) => key).join(" and ")}.`,
      ),
    ];
  }
  const outside = limited.filter(
    ([, cidrs]) =>
      !cidrs.some((cidr) => {
        const [network, bits] = parseCIDR(cidr);
        const own = parse(address);
        return own.kind() === network.kind() && own.match([network, bits]);
      }),
  );
  return orOk(
    outside.map(([key, cidrs]) => {
      const [section = "", name = ""] = key.split(".");
      const line = `capz-windows:${section}: {${name}: [${[...cidrs, `${address}/32`].join(", ")}]}`;
      // `up` connects to the management cluster, and never to the machines.
      return section === "management"
        ? error(`${address} is not in ${key}: \`up\` from here cannot reach the management cluster`, line)
        : warning(`${address} is not in ${key}: kubectl and ssh will not work from here`, line);
    }),
    ok(`${address} is in ${limited.map(([key]) => key).join(" and ")}`),
  );
}
