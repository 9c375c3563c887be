import { azureVnetMtu, type ExpectedMtus } from "../../../platform/network/mtu";
import type { NetworkModel } from "../model/cluster/types";
import type { Row } from "./layout";

/** Which size of packets holds where, in words. */

const mtuText = (os: string, { host, pod }: ExpectedMtus["linux"]): string =>
  `${os}: ${host.bytes} on hosts by ${host.from}, ${pod.orLess ? "at most " : ""}${pod.bytes} in pods by ${pod.from}`;

/** What Azure does with packets (docs/mtu.md); no property of a VNET says it. */
const carriesText = ({ mtu }: NetworkModel): string =>
  `VNET: Azure carries ${azureVnetMtu} bytes in one piece, and fragments more; it has no MTU to set` +
  (mtu === azureVnetMtu ? "" : `; network.mtu: ${mtu} bytes for the way behind it`);

export const mtuRow = (network: NetworkModel, hasWindows: boolean): Row => ({
  label: "MTU",
  lines: [
    carriesText(network),
    mtuText("Linux", network.mtus.linux),
    ...(hasWindows ? [mtuText("Windows", network.mtus.windows)] : []),
  ],
});
