import type { EgressModel, NetworkModel } from "../model/cluster/types";
import { joined, row, type Row } from "./layout";

/** How machines reach what is outside of the VNET, in words. */

export function outboundRows({ natGateway, outbound }: NetworkModel): Row[] {
  return outbound === undefined
    ? natGateway === undefined
      ? []
      : [row("outbound", `NAT gateway ${natGateway}`)]
    : [
        row(
          "outbound",
          joined([outbound.what, outbound.name].filter(Boolean).join(" "), ...outbound.details),
        ),
      ];
}

export function egressRows(egress: EgressModel | undefined): Row[] {
  const { proxy, registryMirror, fallback = false, trustedCertificates = 0 } = egress ?? {};
  return [
    ...(proxy === undefined ? [] : [row("proxy", proxy)]),
    ...(registryMirror === undefined
      ? []
      : [
          row(
            "images",
            `from ${registryMirror}${fallback ? ", or else from their registries" : ", and from nowhere else"}`,
          ),
        ]),
    ...(trustedCertificates === 0
      ? []
      : [
          row(
            "trusted",
            `${trustedCertificates} ${trustedCertificates === 1 ? "certificate authority" : "certificate authorities"} of your own`,
          ),
        ]),
  ];
}
