import { createHash } from "node:crypto";
import { parse, parseCIDR } from "ipaddr.js";
import { textAt } from "../../../tools/untyped";
import type { Needs } from "../needs";
import { type Row, row } from "../row";

/** Checks outside of Azure: this machine's public address, and the files that the program downloads. */

export type Fetch = typeof fetch;

const timeoutMs = 20_000;

const reason = (error: unknown): string =>
  textAt(error, "cause", "code") || textAt(error, "name") || String(error);

/** Answers with the address of the client, as plain text. */
const addressService = "https://checkip.amazonaws.com";

export async function ownAddress({ allowed }: Needs, get: Fetch): Promise<Row[]> {
  const check = "own address";
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
      row(
        "unknown",
        check,
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
  return outside.length === 0
    ? [row("ok", check, `${address} is in ${limited.map(([key]) => key).join(" and ")}`)]
    : outside.map(([key, cidrs]) => {
        const [section = "", name = ""] = key.split(".");
        const isManagement = section === "management";
        return row(
          // `up` connects to the management cluster, and never to the machines.
          isManagement ? "error" : "warning",
          check,
          isManagement
            ? `${address} is not in ${key}: \`up\` from here cannot reach the management cluster`
            : `${address} is not in ${key}: kubectl and ssh will not work from here`,
          `capz-windows:${section}: {${name}: [${[...cidrs, `${address}/32`].join(", ")}]}`,
        );
      });
}

export async function downloads({ manifests, charts }: Needs, get: Fetch): Promise<Row[]> {
  const pinned = manifests.map(async ({ name, version, url, sha256 }) => {
    const answer = await get(url, { signal: AbortSignal.timeout(timeoutMs) });
    const found = createHash("sha256")
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest("hex");
    return answer.ok && found === sha256
      ? []
      : [
          row(
            "error",
            "downloads",
            answer.ok
              ? `${name} ${version} has sha256 ${found}, not ${sha256}`
              : `${url} answers ${answer.status}`,
            "Do not continue with content other than the pinned one; a proxy may have changed it.",
          ),
        ];
  });
  const others = charts.map(async (url) => {
    const answer = await get(url, { method: "HEAD", signal: AbortSignal.timeout(timeoutMs) });
    return answer.ok ? [] : [row("error", "downloads", `${url} answers ${answer.status}`, `curl -I ${url}`)];
  });
  const urls = [...manifests.map(({ url }) => url), ...charts];
  const rows = await Promise.all(
    [...pinned, ...others].map((each, index) =>
      each.catch((error: unknown) => [
        row(
          "error",
          "downloads",
          `${urls[index] ?? ""} cannot be reached: ${reason(error)}`,
          `curl -I ${urls[index] ?? ""}`,
        ),
      ]),
    ),
  );
  return rows.flat().length === 0 && urls.length > 0
    ? [row("ok", "downloads", `${urls.length} are reachable, with the pinned sha256`)]
    : rows.flat();
}
