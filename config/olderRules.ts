import { extensionPoint } from "capz-windows-kit/extensionPoint";
import type { Problem, Warning } from "capz-windows-kit/problem";
import type { NodeImage } from "./nodeImages";
import type { Settings } from "./settings";

export interface OlderRules {
  /** Settings that are incompatible with the flavor, or with the add-ons for the Kubernetes version. */
  readonly flavorRules: (settings: Settings) => Problem[];
  /** A Marketplace image whose name is incomplete, that does not exist, or that does not match the nodes. */
  readonly marketplaceProblems: (nodeImage: NodeImage) => Problem[];
  /** What is missing for a Kubernetes version that Cluster API no longer supports. */
  readonly olderKubernetesWarnings: (settings: Settings) => Warning[];
}

/** The rules of older systems. */
export const olderRules = extensionPoint<OlderRules>("older/config/register");
