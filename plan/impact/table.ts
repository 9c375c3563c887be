import type { Severity } from "./impact";
import type { Fact } from "./facts";
import type { Row } from "./row";
import { addonRows } from "./rows/addons";
import { aksRows } from "./rows/aks";
import { azureRows } from "./rows/azure";
import { clusterRows } from "./rows/cluster";
import { clusterApiRows } from "./rows/clusterApi";
import { controlPlaneRows } from "./rows/controlPlane";
import { deploymentRows } from "./rows/deployments";
import { metadataRows } from "./rows/metadata";
import { poolRows } from "./rows/pools";
import { poolSizeRows } from "./rows/poolSize";
import { listed } from "./words";

/** All rows, in the order in which they are asked: what concerns the whole first, then its parts. */
export const table: readonly Row[] = [
  ...clusterRows,
  ...poolRows,
  ...deploymentRows,
  ...poolSizeRows,
  ...controlPlaneRows,
  ...aksRows,
  ...metadataRows,
  ...azureRows,
  ...clusterApiRows,
  ...addonRows,
];

const kindSeverity: Readonly<Record<Fact["kind"], Severity>> = {
  delete: "destroys",
  replace: "replaces",
  update: "changes",
  create: "changes",
};

const verbs: Readonly<Record<Fact["kind"], string>> = {
  delete: "is deleted",
  replace: "is deleted and made again",
  update: "changes",
  create: "is new",
};

/** What no row knows: never silence. */
export const fallback: Row = {
  rule: "other",
  severity: "changes",
  source: "project",
  per: "resource",
  match: () => true,
  tell: (facts) => {
    const [{ kind, type, resource, custom }] = facts;
    const paths = [...new Set(facts.map(({ path }) => path).filter((path) => path !== ""))];
    return {
      severity: custom ? kindSeverity[kind] : "metadata",
      what: `${type} ${resource.name} ${verbs[kind]}${paths.length > 0 ? `: ${listed(paths)}` : ""}`,
      why: custom
        ? "no rule knows what this does: read its properties"
        : "a component is a name in Pulumi's state; what it holds is told by itself",
    };
  },
};
