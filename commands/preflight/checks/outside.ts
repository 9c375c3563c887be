import { bash } from "capz-windows-kit/shell";
import { parse, parseCIDR } from "ipaddr.js";
import { sha256 } from "../../../addons/pinnedManifest";
import { textAt } from "capz-windows-kit/untyped";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";

/** Checks outside of Azure: this machine's public address, and the files that the program downloads. */

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

export async function downloads({ manifests, charts }: Needs, get: Fetch): Promise<Row[]> {
  const { error, ok } = rowsOf("downloads");
  const pinned = manifests.map(async ({ name, version, url, sha256: wanted }) => {
    const answer = await get(url, { signal: AbortSignal.timeout(timeoutMs) });
    const found = sha256(Buffer.from(await answer.arrayBuffer()));
    return present(
      (!answer.ok || found !== wanted) &&
        error(
          answer.ok
            ? `${name} ${version} has sha256 ${found}, not ${wanted}`
            : `${url} answers ${answer.status}`,
          "Do not continue with content other than the pinned one; a proxy may have changed it.",
        ),
    );
  });
  const others = charts.map(async (url) => {
    const answer = await get(url, { method: "HEAD", signal: AbortSignal.timeout(timeoutMs) });
    const isPage = answer.headers.get("content-type")?.includes("html") === true;
    return present(
      !answer.ok && error(`${url} answers ${answer.status}`, bash`curl -I ${url}`),
      answer.ok &&
        isPage &&
        error(`${url} answers with a page for people, not a chart`, bash`curl -I ${url}`),
    );
  });
  const urls = [...manifests.map(({ url }) => url), ...charts];
  const rows = await Promise.all(
    [...pinned, ...others].map((each, index) =>
      each.catch((cause: unknown) => [
        error(`${urls[index] ?? ""} cannot be reached: ${reason(cause)}`, bash`curl -I ${urls[index] ?? ""}`),
      ]),
    ),
  );
  return urls.length === 0
    ? []
    : orOk(rows.flat(), ok(`${urls.length} are reachable, with the pinned sha256`));
}
