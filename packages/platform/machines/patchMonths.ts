import { knownOn } from "../compatibility";
import { communityGallery } from "./communityGallery";
import type { CapzImage } from "./images";

/** How old the Windows patches of an image are, as far as its version shows. Months are written as in 2026-07. */

/**
 * The last revision of each month by Windows Server release; the build in front of it is in windowsReleases.ts. Source:
 * names of the release notes of AKS' Windows images, Azure/AKS vhd-notes/AKSWindows/YEAR/BUILD.REVISION.YYMMDD.txt, of
 * 2026-08-07. Months that they leave out are left out here.
 */
const revisions: Readonly<Record<string, string>> = {
  "2019":
    "2024-01:5329 2024-02:5458 2024-03:5576 2024-04:5696 2024-05:5820 2024-06:5936 2024-07:6054 2024-08:6189 2024-09:6293 2024-10:6414 2024-12:6659 2025-01:6775 2025-02:6893 2025-03:7009 2025-04:7240 2025-05:7314 2025-06:7434 2025-07:7558 2025-08:7678 2025-09:7792 2025-12:8146 2026-01:8276 2026-02:8389",
  "2022":
    "2024-01:2227 2024-02:2322 2024-03:2340 2024-04:2402 2024-05:2461 2024-06:2529 2024-07:2582 2024-08:2655 2024-09:2700 2024-10:2762 2024-12:2966 2025-01:3091 2025-02:3207 2025-03:3328 2025-04:3561 2025-05:3692 2025-06:3807 2025-07:3932 2025-08:4052 2025-09:4171 2025-12:4529 2026-01:4648 2026-02:4773 2026-03:4893 2026-04:5020 2026-05:5139 2026-06:5256 2026-07:5386",
  "2025":
    "2025-08:4946 2025-09:6584 2025-12:7462 2026-01:32230 2026-02:32370 2026-03:32522 2026-04:32690 2026-05:32860 2026-06:32995 2026-07:33158",
};

const releaseOfBuild: Readonly<Record<string, string>> = {
  "17763": "2019",
  "20348": "2022",
  "26100": "2025",
};

/**
 * Days on which patches of Kubernetes were released, from patch 0 on. Source: times of the tags v0.MINOR.PATCH of
 * k8s.io/api. The community gallery gets its image of a patch then, and never changes it (CAPZ v1.27.0 custom-images.md).
 */
const kubernetesDays: Readonly<Record<number, string>> = {
  35: "2025-12-17 2026-02-10 2026-02-27 2026-03-19 2026-04-15 2026-05-12 2026-06-12 2026-07-23 2026-08-21 2026-09-23 2026-10-28",
  36: "2026-04-22 2026-05-12 2026-06-12 2026-07-23 2026-08-20 2026-09-24 2026-10-28",
  37: "2026-08-26 2026-09-23 2026-10-28",
};

/** Microsoft releases the patches of a month on its second Tuesday. */
function secondTuesday(year: number, month: number): number {
  // The first day of 1970 was a Thursday, the fourth day of a week that begins with Sunday.
  const first = (Date.UTC(year, month - 1, 1) / 86_400_000 + 4) % 7;
  return 1 + ((2 - first + 7) % 7) + 7;
}

const monthText = (year: number, month: number): string =>
  month === 0 ? `${year - 1}-12` : `${year}-${String(month).padStart(2, "0")}`;

/** The month whose patches are the newest on a day such as 2026-07-13, of which the first 10 characters count. */
export function patchMonthOf(day: string): string {
  const [year = 0, month = 0, date = 0] = day.slice(0, 10).split("-").map(Number);
  return monthText(year, date >= secondTuesday(year, month) ? month : month - 1);
}

/** Months from one to another; never negative. */
export function monthsBetween(from: string, to: string): number {
  const [before = 0, after = 0] = [from, to].map((month) => {
    const [year = 0, number = 0] = month.split("-").map(Number);
    return year * 12 + number;
  });
  return Math.max(0, after - before);
}

export interface PatchLevel {
  readonly month: string;
  /** Source of the month: the revision of Windows, the date of the image, or the release date of its Kubernetes. */
  readonly by: "build" | "date" | "kubernetes";
  /** The build of Windows, where the version has it. */
  readonly build?: string;
}

function byBuild(text: string): PatchLevel | undefined {
  const [build, number = "", revision] = /(?<!\d)(17763|20348|26100)\.(\d{3,5})(?!\d)/.exec(text) ?? [];
  const known = revisions[releaseOfBuild[number] ?? ""];
  const month = known
    ?.split(" ")
    .map((entry) => entry.split(":"))
    .filter(([, last]) => Number(last) <= Number(revision))
    .at(-1)?.[0];
  return build === undefined || month === undefined ? undefined : { month, by: "build", build };
}

function byDate(text: string): PatchLevel | undefined {
  const [, year = "", month = "", day = ""] =
    /(?<!\d)(20[12]\d)[.-]?(0[1-9]|1[0-2])[.-]?(0[1-9]|[12]\d|3[01])(?!\d)/.exec(text) ?? [];
  return year === "" ? undefined : { month: patchMonthOf(`${year}-${month}-${day}`), by: "date" };
}

/** The community gallery gets an image when its Kubernetes version is released, and never changes it. */
function publishedOn({ computeGallery }: CapzImage): string | undefined {
  const [, minor, patch] = /^1\.(\d+)\.(\d+)$/.exec(computeGallery?.version ?? "") ?? [];
  return computeGallery?.gallery === communityGallery
    ? kubernetesDays[Number(minor)]?.split(" ")[Number(patch)]
    : undefined;
}

function byKubernetes(image: CapzImage): PatchLevel | undefined {
  const day = publishedOn(image);
  return day === undefined ? undefined : { month: patchMonthOf(day), by: "kubernetes" };
}

/**
 * The community gallery's images have their end of life so many months after they are published (image-builder,
 * .github/workflows/build-azure-sig.yaml, EOL_DATE). No source has a limit for others, which count as old after as long.
 */
export const imageMonths = 6;

/** About the day of the end of life of an image of the community gallery; `undefined` for others. */
export function galleryEnd(image: CapzImage): string | undefined {
  const day = publishedOn(image);
  if (day === undefined) {
    return undefined;
  }
  const [year = 0, month = 0] = day.split("-").map(Number);
  const later = month - 1 + imageMonths;
  return `${monthText(year + Math.floor(later / 12), (later % 12) + 1)}${day.slice(7)}`;
}

/** What the version of a Windows image says about its patches; `undefined` if it says nothing. */
export function patchLevel(image: CapzImage): PatchLevel | undefined {
  const text =
    image.computeGallery?.version ??
    (image.marketplace === undefined
      ? (/\/versions\/([^/]+)$/i.exec(image.id ?? "")?.[1] ?? image.id?.split("/").at(-1) ?? "")
      : image.marketplace.version);
  return byBuild(text) ?? byDate(text) ?? byKubernetes(image);
}

const months = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** 2026-07 as "July 2026". */
export const monthName = (month: string): string =>
  `${months[Number(month.slice(5)) - 1] ?? month} ${month.slice(0, 4)}`;

const levelText = ({ month, by, build = "" }: PatchLevel): string =>
  ({
    build: `Windows patches of ${monthName(month)} (${build})`,
    date: `Windows patches of ${monthName(month)} at the latest (the date in its version)`,
    kubernetes: `Windows patches of about ${monthName(month)} (when its Kubernetes was released)`,
  })[by];

/** Whether a Windows image lacks the patches of so many months on a day, by what its own version says. */
export function isOld(image: CapzImage, day: string): boolean {
  const level = patchLevel(image);
  return (
    level !== undefined &&
    level.by !== "kubernetes" &&
    monthsBetween(level.month, patchMonthOf(day)) >= imageMonths
  );
}

/**
 * How far behind the patches of a Windows image are, in words.
 * @param day - such as 2026-11-22. Default: that of the table, so that plans say the same every day
 */
export function patchText(image: CapzImage, day: string = knownOn): string {
  const level = patchLevel(image);
  if (level === undefined) {
    return "its version does not tell which Windows patches it has";
  }
  const now = patchMonthOf(day);
  const behind = monthsBetween(level.month, now);
  return `${levelText(level)}, ${
    behind === 0
      ? `as new as ${monthName(now)}`
      : `${behind} ${behind === 1 ? "month" : "months"} behind ${monthName(now)}`
  }`;
}
