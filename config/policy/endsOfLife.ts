import {
  type Retirement,
  endText,
  hardDiskEnd,
  kubernetesEnd,
  natRulesEnd,
  vmSeriesEnds,
} from "capz-windows-platform/ends";
import { endOfLife } from "capz-windows-platform/kubernetesReleases";
import { imageText } from "capz-windows-platform/machines/images";
import {
  galleryEnd,
  imageMonths,
  isOld,
  monthName,
  patchText,
} from "capz-windows-platform/machines/patchMonths";
import { supportEnds } from "capz-windows-platform/machines/windowsReleases";
import { present } from "capz-windows-kit/present";
import { ownValue } from "capz-windows-kit/untyped";
import { writeLine } from "capz-windows-kit/writeLine";
import type { FactPlace, Facts, Found } from "./facts";
import { at, type Policy } from "./policy";
import type { PolicyId } from "./policyIds";

/** Policies about what gets no more updates. */

/** The days of a release; of one that is not in the table, none. */
const supportOf = (release: string) =>
  ownValue<{ readonly mainstream: string; readonly extended: string }>(supportEnds, release) ?? {
    mainstream: "9999",
    extended: "9999",
  };

/** An end that is near or has passed, with what takes its place. */
function foundEnd(place: FactPlace, end: Retirement, today: string, what = end.what): Found[] {
  const text = endText(end.on, today);
  return present(
    text !== undefined && {
      ...at(place, `${end.what} ${text}: ${end.then}; write ${end.instead} (${end.source})`),
      summary: `${what} ${text}`,
    },
  );
}

/** Of machines: VM series, disks and NAT rules. */
const endsOfMachines = ({ vmSizes, osDisks, natRules }: Facts, today: string): Found[] => [
  ...vmSizes().flatMap((one) =>
    vmSeriesEnds
      .filter(({ sizes }) => sizes.test(one.vmSize))
      .flatMap((end) => foundEnd(one, end, today, one.vmSize)),
  ),
  ...osDisks()
    .filter(({ type }) => type === "Standard_LRS")
    .flatMap((one) => foundEnd(one, hardDiskEnd, today)),
  ...natRules().flatMap((one) => foundEnd(one, natRulesEnd, today, "version 1 of inbound NAT rules")),
];

/** Days before the end of a gallery's image from which on it is announced: with 180 it would be from the third day on. */
const imageEndDays = 60;

/** Of images of the community gallery that have not reached it; `image-end-of-life` has the others. */
const endsOfImages = ({ machineImages }: Facts, today: string): Found[] =>
  machineImages().flatMap((one) => {
    const end = galleryEnd(one.image);
    const text = end === undefined || today >= end ? undefined : endText(end, today, imageEndDays);
    return present(
      text !== undefined &&
        at(
          one,
          `the community gallery may remove ${imageText(one.image)}: its life of ${imageMonths} months ${text}; write a newer kubernetesVersion, or copy the image into a gallery of your own (docs/images.md)`,
        ),
    );
  });

/** Of releases that still get updates; those that get none have policies of their own. */
const endsOfReleases = ({ kubernetes, windows }: Facts, today: string): Found[] => [
  ...kubernetes().flatMap((one) => {
    const end = kubernetesEnd(one.minor);
    return end === undefined ? [] : foundEnd(one, end, today);
  }),
  ...windows().flatMap((one) => {
    const { extended } = supportOf(one.release);
    const text = today > extended ? undefined : endText(extended, today);
    return present(
      text !== undefined && {
        ...at(
          one,
          `Windows Server ${one.release} ${text}: it gets no more security updates; write windowsServer: "2025"`,
        ),
        summary: `Windows Server ${one.release} ${text}`,
      },
    );
  }),
];

export const endsOfLife = {
  "kubernetes-end-of-life": {
    level: "error",
    title: "Kubernetes gets no more security fixes",
    why: "Weaknesses that become known stay open.",
    source: "https://kubernetes.io/releases/patch-releases/",
    write: "a newer kubernetesVersion, one minor after the other (docs/operations.md)",
    find: ({ kubernetes }, today) =>
      kubernetes().flatMap((one) => {
        const month = endOfLife(one.minor);
        return month === undefined || today.slice(0, 7) <= month
          ? []
          : at(one, `Kubernetes 1.${one.minor} had its last patch release in ${monthName(month)}`);
      }),
  },
  "windows-end-of-life": {
    level: "error",
    title: "Windows Server gets no more security updates",
    why: "Weaknesses that become known stay open.",
    source: "https://learn.microsoft.com/lifecycle/products/windows-server-2019",
    write: writeLine("windowsServer", "2025", "in the pool, with images of containers for it"),
    find: ({ windows }, today) =>
      windows().flatMap((one) => {
        const { extended } = supportOf(one.release);
        return today > extended
          ? at(one, `Windows Server ${one.release} had its last security updates on ${extended}`)
          : [];
      }),
  },
  "windows-mainstream-end": {
    level: "note",
    title: "Windows Server gets security updates only",
    why: "Other faults are no longer fixed, so a newer release should be planned.",
    source: "https://learn.microsoft.com/lifecycle/products/windows-server-2022",
    write: writeLine("windowsServer", "2025", "in the pool, with images of containers for it"),
    find: ({ windows }, today) =>
      windows().flatMap((one) => {
        const { mainstream, extended } = supportOf(one.release);
        return today > mainstream && today <= extended
          ? at(
              one,
              `Windows Server ${one.release} has had only security updates since ${mainstream}, and has them until ${extended}`,
            )
          : [];
      }),
  },
  "ends-soon": {
    level: "warning",
    title: "Something that the stack uses ends within 180 days",
    why: "Azure and the projects announce ends years before, and what is left on that day stops or gets no more fixes.",
    source: "https://github.com/Azure/EOL",
    write: "what the message names, before the day that it names",
    find: (facts, today) => [
      ...endsOfReleases(facts, today),
      ...endsOfMachines(facts, today),
      ...endsOfImages(facts, today),
    ],
  },
  "image-end-of-life": {
    level: "warning",
    title: "A reference image has reached its end of life",
    why: "It lacks the updates of half a year, and the community gallery may remove it: machines that run stay, but none can be added or replaced.",
    source:
      "https://github.com/kubernetes-sigs/image-builder/blob/main/.github/workflows/build-azure-sig.yaml",
    write: "a newer kubernetesVersion, or an image of your own (docs/images.md)",
    find: ({ machineImages }, today) =>
      machineImages().flatMap((one) => {
        const end = galleryEnd(one.image);
        return end === undefined || today < end
          ? []
          : at(
              one,
              `${imageText(one.image)} had its end of life about ${end}, ${imageMonths} months after it was published: once the community gallery removes it, no machine can be added or replaced`,
            );
      }),
  },
  "old-windows-image": {
    level: "warning",
    title: "A Windows image lacks the security updates of half a year",
    why: "Windows gets security updates every month, an image never does, and nodes with it have weaknesses that are known.",
    source: "https://learn.microsoft.com/windows/deployment/update/release-cycle",
    write: "a newer version of the image, or a new build of your own (docs/images.md)",
    find: ({ machineImages }, today) =>
      machineImages()
        .filter(({ image, isWindows }) => isWindows && isOld(image, today))
        .map((one) => at(one, `${imageText(one.image)} has ${patchText(one.image, today)}`)),
  },
} as const satisfies Partial<Record<PolicyId, Policy>>;
