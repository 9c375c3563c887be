import { withMinutes } from "./answers";
import { hasCondition, olderThan, warned } from "./finders";
import { nodeProviderRules } from "./nodeProvider";
import { nodeNetworkRules } from "./nodeNetwork";
import { nodeStopRules } from "./nodeStops";
import { lostNodeRules } from "./lostNodes";
import { versionRules } from "./versions";
import type { Detectors, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Nodes that have joined. */

const nodeIs = (type: string, status: string, text: RegExp, minutes = 0): ((world: World) => Match[]) =>
  hasCondition({ kinds: ["Node"], side: "workload", type, status: [status], message: text, minutes });

/** Nodes that have not been Ready for a long time, for a reason that no other rule matches. */
const notReady = hasCondition({
  kinds: ["Node"],
  side: "workload",
  type: "Ready",
  status: ["False", "Unknown"],
  minutes: 15,
  where: (node, world) => olderThan(node, 20, world),
});

export const nodes: Detectors = {
  ...lostNodeRules,
  ...nodeStopRules,
  "node-clock": (world) => [
    ...nodeIs("Ready", "False", /not yet valid|certificate has expired/)(world),
    ...warned({
      kinds: ["Node", "Pod"],
      side: "workload",
      // The certificate of a webhook or of a registry is not that of a node.
      text: /^(?![^]*webhook)(?![^]*image[^]* is after )[^]*x509: certificate has expired or is not yet valid/,
    })(world),
  ],
  ...nodeNetworkRules,
  ...nodeProviderRules,
  ...versionRules,
  "node-not-ready": withMinutes(notReady),
};
