import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/**
 * Hosts that a text of others must not have asked: what answers there answers only this machine or its neighbours, as the
 * metadata services of clouds do.
 */

type Networks = readonly (readonly [address: string, prefix: number])[];

function listOf(ofFour: Networks, ofSix: Networks): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ofFour) {
    list.addSubnet(address, prefix, "ipv4");
  }
  for (const [address, prefix] of ofSix) {
    list.addSubnet(address, prefix, "ipv6");
  }
  return list;
}

/** This machine, its link, and the addresses of Azure and others that answer each machine for itself. */
const inner = listOf(
  [
    ["0.0.0.0", 8],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["168.63.129.16", 32],
    ["100.100.100.200", 32],
  ],
  [
    ["::", 128],
    ["::1", 128],
    ["fe80::", 10],
    ["fd00:ec2::254", 128],
  ],
);

/** Networks of companies: a name may lead there, as that of a private endpoint does, and an address says who it is for. */
const privately = listOf(
  [
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
  ],
  [["fc00::", 7]],
);

const isIn = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

const isInnerName = (name: string): boolean =>
  /^(?:localhost|.*\.localhost|metadata|metadata\.google\.internal)\.?$/.test(name);

/** Whether a URL names this machine, its link or an address of a private network. */
export function isInner({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  return isInnerName(host) || isIn(inner, host) || isIn(privately, host);
}

/** A host that is not asked. */
export class InnerHostError extends Error {
  override readonly name = "InnerHostError";
}

/** As Node.js finds addresses of a name, but for those that only this machine and its link have. */
export const outerLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found?: LookupAddress[]) => {
    const [first] = found ?? [];
    if (error !== null || first === undefined) {
      callback(error ?? new Error(`${hostname} has no address`), "", 0);
    } else if (found?.some(({ address }) => isIn(inner, address)) === true) {
      callback(new InnerHostError(`${hostname} is an address of this machine or its link`), "", 0);
    } else if (options.all === true) {
      callback(null, found ?? []);
    } else {
      callback(null, first.address, first.family);
    }
  });
};
