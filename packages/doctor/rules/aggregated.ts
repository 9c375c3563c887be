import { withVars } from "./answers";
import { textAt } from "capz-windows-kit/untyped";
import { conditionNamed, minutesBetween } from "../cluster/objects";
import { conditionProof, hasCondition } from "./finders";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";

/** Aggregated APIs, which other servers serve through the API server, and what depends on them. */

const apiServices = (reason: RegExp, message: RegExp, minutes: number) =>
  withVars(
    hasCondition({ kinds: ["APIService"], side: "workload", type: "Available", reason, message, minutes }),
    ({ object }) => ({
      service: textAt(object?.spec, "service", "name"),
      where: textAt(object?.spec, "service", "namespace"),
    }),
  );

/** APIs of metrics-server and of Calico's API server. */
const isOwn = /^v\w+\.metrics\.k8s\.io$|^v\w+\.projectcalico\.org$/;

/** Namespaces of the workload cluster that are being deleted, with the conditions that say why they remain. */
const terminating =
  (type: string, minutes: number, text: RegExp) =>
  (world: World): Match[] =>
    world.all("Namespace", "workload").flatMap((object) => {
      const condition = conditionNamed(object, type);
      const found = condition?.status === "True" ? text.exec(condition.message) : null;
      return condition !== undefined &&
        found !== null &&
        minutesBetween(object.metadata.deletionTimestamp ?? "", world.now) >= minutes
        ? [{ object, proof: conditionProof(object, condition), vars: { ...found.groups } }]
        : [];
    });

export const aggregated: Detectors = {
  "front-proxy": apiServices(/./, /bad status from \S+: 401/, 5),
  "aggregated-forbidden": apiServices(/./, /bad status from \S+: 403/, 5),
  "own-api-service": (world) =>
    apiServices(/./, /./, 15)(world).filter(({ object }) => isOwn.test(object?.metadata.name ?? "")),
  "api-service": apiServices(/./, /./, 15),
  "namespace-api": terminating(
    "NamespaceDeletionDiscoveryFailure",
    5,
    /^(?:[^]*?(?:APIs|list of server APIs): )?(?<api>[\w.-]+\/v\w+)?[^]*$/,
  ),
};
