import { access } from "./access";
import { addons } from "./addons";
import { azureResources } from "./azureResources";
import { bootstrap } from "./bootstrap";
import { calico } from "./calico";
import { containers } from "./containers";
import { controlPlane } from "./controlPlane";
import { deletion } from "./deletion";
import { gmsa } from "./gmsa";
import { identity } from "./identity";
import { readSubjects } from "./knowledge";
import { kubeletCertificates } from "./kubeletCertificates";
import { machines } from "./machines";
import { nodes } from "./nodes";
import { pods } from "./pods";
import { programs } from "./programs";
import { providers } from "./providers";
import { scheduling } from "./scheduling";
import { services } from "./services";
import { unexplained } from "./unexplained";
import { volumes } from "./volumes";
import type { Detectors, Rule } from "./rule";

export const detectors: Detectors = {
  ...{ ...access, ...deletion, ...providers, ...identity, ...azureResources, ...bootstrap },
  ...{ ...controlPlane, ...addons, ...gmsa, ...calico, ...machines, ...nodes },
  ...{ ...kubeletCertificates, ...programs, ...scheduling, ...containers, ...pods, ...volumes },
  ...{ ...services, ...unexplained },
};

/** The files of knowledge/, in the order in which docs/troubleshooting.md and a report show what is equally urgent. */
export const subjects = readSubjects(
  [
    ...["access", "deletion", "providers", "identity", "images", "azure-limits", "azure-machines"],
    ...["azure-resources", "azure-networks", "bootstrap", "control-plane", "add-ons", "mounts", "gmsa"],
    ...["windows-containers", "pod-network", "network", "hns", "machines", "nodes", "kubelet-certificates"],
    ...["registries", "admission", "programs", "containers", "pods", "volumes"],
    ...["services", "unexplained"],
  ],
  detectors,
);

const subjectsById = new Map(subjects.flatMap((subject) => subject.rules.map(({ id }) => [id, subject])));

export const familyOf = (id: string): string => subjectsById.get(id)?.family ?? "";

/** The anchor that GitHub gives to a heading. */
export const headingAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

/** Where the documents have the rule of this ID, among those of its subject. */
export const pageOf = (id: string): string =>
  `docs/troubleshooting.md#${headingAnchor(subjectsById.get(id)?.title ?? "")}`;

function level({ rest, generic, last }: Rule): number {
  if (last === true) {
    return 3;
  }
  if (generic === true) {
    return 2;
  }
  return rest === true ? 1 : 0;
}

/**
 * The rules in the order in which they are tried: the first one that matches a text is reported for it. A rule stands before
 * those that it is `over`; what matches whatever others leave (`rest`, `generic`, `last`) comes after all others.
 */
export function inOrder(rules: readonly Rule[]): readonly Rule[] {
  const placed = new Set<Rule>();
  const place = (rule: Rule): void => {
    if (!placed.has(rule)) {
      rules.filter(({ over }) => over?.includes(rule.id) === true).forEach(place);
      placed.add(rule);
    }
  };
  [0, 1, 2, 3].forEach((wanted) => {
    rules.filter((rule) => level(rule) === wanted).forEach(place);
  });
  return [...placed];
}

export const allRules: readonly Rule[] = inOrder(subjects.flatMap(({ rules }) => rules));
