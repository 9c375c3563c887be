import { access } from "./access";
import { admission } from "./admission";
import { addons } from "./addons";
import { aggregated } from "./aggregated";
import { azureLimits } from "./azureLimits";
import { azureResources } from "./azureResources";
import { bootstrap } from "./bootstrap";
import { calico } from "./calico";
import { containers } from "./containers";
import { controlPlane } from "./controlPlane";
import { deletion } from "./deletion";
import { gmsa } from "./gmsa";
import { identity } from "./identity";
import { images } from "./images";
import { machines } from "./machines";
import { mounts } from "./mounts";
import { nodes } from "./nodes";
import { podNetwork } from "./podNetwork";
import { pods } from "./pods";
import { programs } from "./programs";
import { providers } from "./providers";
import { registries } from "./registries";
import { scheduling } from "./scheduling";
import { services } from "./services";
import { unexplained } from "./unexplained";
import { volumes } from "./volumes";
import { windowsContainers } from "./windowsContainers";
import type { Family, Rule } from "./rule";

/**
 * The families in the order in which their rules are tried. The first rule that matches a text is reported for it, so
 * more specific rules come first, `azure-other`, which matches everything, is the last of its family, and `unexplained`
 * is the last of all.
 */
export const families: readonly Family[] = [
  ...[access, deletion, providers, identity, images, azureLimits, azureResources, bootstrap],
  ...[controlPlane, addons, mounts, gmsa, windowsContainers, podNetwork, calico, machines, nodes],
  ...[registries, admission, programs, scheduling, aggregated],
  ...[containers, pods, volumes, services, unexplained],
];

export const familyOf = (id: string): string =>
  families.find(({ rules }) => rules.some((rule) => rule.id === id))?.name ?? "";

export const allRules: readonly Rule[] = families.flatMap(({ rules }) => rules);
