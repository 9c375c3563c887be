import { ownValue } from "capz-windows-kit/untyped";
import { windowsBuilds } from "../machines/windowsReleases";
import { type WindowsVersion, windowsVersion } from "./windowsVersions";

/** What the name of an image says about the Windows release that it was built for. */

/** The parts of an image reference, as `registry/repository:tag@digest`. */
export interface ImageReference {
  /** Without tag and digest. */
  readonly name: string;
  readonly tag: string;
  readonly digest: string;
}

export function parseReference(reference: string): ImageReference {
  const [withTag = "", digest = ""] = reference.split("@");
  // A colon before the last slash belongs to a port.
  const [, name = withTag, tag = ""] = /^(.*?)(?::([^:/]*))?$/.exec(withTag) ?? [];
  return { name, tag, digest };
}

/** The registry of an image, and its path there: the first part is a host if it can be one (reference.go, splitDockerDomain). */
export function registryOf(image: string): { readonly host: string | undefined; readonly path: string } {
  const [first = "", ...rest] = image.split("/");
  const isHost = rest.length > 0 && /[.:]|^localhost$/.test(first);
  return isHost ? { host: first, path: rest.join("/") } : { host: undefined, path: image };
}

/** Places that a pipeline or a template fills in: `<name>`, `${NAME}`, `{{ name }}`, `#{name}#`, `__name__`, `$(NAME)`. */
const placeholder = /<[^>]*>|[$#]\{[^}]*\}#?|\{\{[^}]*\}\}|\$\([^)]*\)|(?<![a-z0-9])__\w+?__(?![a-z0-9])/i;

/** More than any reference has: names end at 255 characters, tags at 128, a registry's host at 255 (reference.go). */
const longest = 1000;

export const placeholderIn = (reference: string): string | undefined =>
  placeholder.exec(reference.slice(0, longest))?.[0];

const hostName =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:]+\])(?::\d+)?$/i;
const component = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

const notValid = "is no valid reference: write [HOST/]NAME:TAG, or NAME@sha256: and 64 digits";

/**
 * Why kubelet takes a reference for no image (InvalidImageName); `undefined` for one that is valid, and for one with a
 * placeholder. Grammar: github.com/distribution/reference v0.6.0, reference.go.
 */
export function referenceProblem(reference: string): string | undefined {
  if (reference.length > longest) {
    return notValid;
  }
  if (placeholderIn(reference) !== undefined) {
    return undefined;
  }
  const scheme = /^[a-z]+:\/\//i.exec(reference)?.[0];
  if (scheme !== undefined) {
    return `begins with ${scheme}: write it without`;
  }
  const { name, tag, digest } = parseReference(reference);
  const { host, path } = registryOf(name);
  const parts = path.split("/");
  if (/[A-Z]/.test(path) && parts.every((part) => component.test(part.toLowerCase()))) {
    return `has uppercase letters in its name: write ${name.replace(path, path.toLowerCase())}`;
  }
  const hasTag = reference.replace(/@.*$/s, "").length > name.length;
  const isValid =
    (host === undefined || hostName.test(host)) &&
    parts.every((part) => component.test(part)) &&
    (!hasTag || /^\w[\w.-]{0,127}$/.test(tag)) &&
    (!reference.includes("@") || /^[a-z][a-z0-9]*(?:[+._-][a-z][a-z0-9]*)*:[0-9a-f]{32,}$/i.test(digest));
  return isValid ? undefined : notValid;
}

/** Whether a registry can be asked for it: it is valid, and nothing in it is filled in later. */
export const isReference = (reference: string): boolean =>
  (referenceProblem(reference) ?? placeholderIn(reference)) === undefined;

/**
 * Whether kubelet takes a text for images of which it asks no login: one without tag and digest, or a folder. Source: Kubernetes
 * v1.36.3 pkg/kubelet/images/pullmanager/image_pull_policies.go, getAllowlistImagePattern.
 */
export function isImagePattern(pattern: string): boolean {
  if (pattern.endsWith("/*")) {
    return /^[^\s*](?:[^*]*[^\s*])?\/\*$/.test(pattern);
  }
  const { tag, digest } = parseReference(pattern);
  return isReference(pattern) && tag === "" && digest === "";
}

/** Builds by the words of tags, besides `ltsc<year>` and whole versions (Microsoft, base image tags). */
const buildsOfWords: Readonly<Record<string, number>> = {
  ...{ "1709": 16299, "1803": 17134, "1809": 17763, "1903": 18362, "1909": 18363, "2004": 19041 },
  ...{ "20h2": 19042, "23h2": 25398, ltsc2016: 14393 },
};

/** Products whose images have bare numbers such as 1809 as tags. */
const isWindows = /windows|nanoserver|servercore/;

/** Whether an image can only be for Windows, by its name or its tag. */
export const isForWindows = (reference: string): boolean =>
  isWindows.test(reference.toLowerCase()) ||
  /dotnet\/framework|\biis\b|[-_:]win\b/i.test(reference) ||
  taggedVersion(reference) !== undefined;

/** The build that one word of a tag names: `ltsc2022`, `win2022`, and `1809` where it is clear that Windows is meant. */
function buildOfWord(word: string, ofWindows: boolean): number | undefined {
  const [, product, rest = ""] = new RegExp(`^(${productWords.join("|")})?(.+)$`).exec(word) ?? [];
  const [, year = ""] = /^(?:ltsc|windows-?|win|ws)(20\d\d)$/.exec(word) ?? [];
  return (
    windowsVersion(windowsBuilds[year] ?? "")?.build ??
    (rest.startsWith("ltsc") || product !== undefined || ofWindows
      ? ownValue(buildsOfWords, rest)
      : undefined)
  );
}

/** The words of tags that name one build, for callers that can only match patterns. */
export interface TagWords {
  readonly build: number;
  /** Words that name it in every tag. */
  readonly always: readonly string[];
  /** Words that name it right after the name of a product: win1809. */
  readonly afterProduct: readonly string[];
  /** Words that name it if the reference is one of a Windows image (`isWindows`). */
  readonly ofWindows: readonly string[];
}

export const productWords = [
  "windowsservercore",
  "servercore",
  "nanoserver",
  "windows",
  "win",
  "ws",
] as const;
export const windowsNames = isWindows.source;

/** Every build that a tag can name by a word. */
export function tagWords(): TagWords[] {
  const years = Object.entries(windowsBuilds).map(([year, version]) => ({
    build: windowsVersion(version)?.build ?? 0,
    word: ["ltsc", "windows", "win", "ws"].map((product) => `${product}${year}`),
  }));
  const others = Object.entries(buildsOfWords).map(([word, build]) => ({ build, word: [word] }));
  const builds = [...new Set([...years, ...others].map(({ build }) => build))].sort((a, b) => a - b);
  return builds.map((build) => ({
    build,
    always: [
      ...years.filter((each) => each.build === build).flatMap(({ word }) => word),
      ...others
        .filter((each) => each.build === build)
        .flatMap(({ word }) => word.filter((one) => one.startsWith("ltsc"))),
    ],
    afterProduct: others.filter((each) => each.build === build).flatMap(({ word }) => word),
    ofWindows: others
      .filter((each) => each.build === build)
      .flatMap(({ word }) => word.filter((one) => !one.startsWith("ltsc"))),
  }));
}

interface Named {
  readonly version: WindowsVersion;
  /** The part of the tag that names the version. */
  readonly word: string;
}

function namedIn({ name, tag }: ImageReference): Named | undefined {
  const lower = tag.toLowerCase();
  const ofWindows = isWindows.test(`${name}:${lower}`);
  const [whole = ""] = /(?<![\d.])10\.0\.\d{5}(\.\d+)?(?![\d.])/.exec(lower) ?? [];
  const version = windowsVersion(whole);
  return version !== undefined
    ? { version, word: whole }
    : (lower.match(/windows-20\d\d(?![a-z0-9])|[a-z0-9]+/g) ?? [])
        .map((word) => ({ word, build: buildOfWord(word, ofWindows) }))
        .flatMap(({ word, build }) =>
          build === undefined ? [] : [{ version: { major: 10, minor: 0, build }, word }],
        )[0];
}

/** The Windows that the tag of an image names; `undefined` where the tag says nothing. */
export const taggedVersion = (reference: string): WindowsVersion | undefined =>
  namedIn(parseReference(reference))?.version;

/** Nano Server of Windows Server 2019 has the tag 1809 only (Microsoft, Nano Server by tag). */
function wordFor({ name, tag }: ImageReference, windowsServer: string): string {
  if (windowsServer === "2019" && `${name}:${tag}`.includes("nanoserver")) {
    return "1809";
  }
  return `ltsc${windowsServer}`;
}

/** Of .NET Framework 4, images for Windows Server 2025 have 4.8.1 alone, those for 2019 and 2022 have 4.8 (microsoft/dotnet-framework-docker, README.aspnet.md). */
const framework = (release: string): string =>
  `${release === "ltsc2025" ? "4.8.1" : "4.8"}-windowsservercore-${release}`;

/**
 * Microsoft's repositories of Windows images on Docker Hub, which have none for Windows Server 2019 or newer, and where the
 * images are since (Microsoft, "Windows Server 2019 Now Available", techcommunity.microsoft.com, 2018-11-13).
 */
const moved: Readonly<Record<string, { readonly name: string; readonly tag: (release: string) => string }>> =
  {
    "microsoft/windowsservercore": { name: "windows/servercore", tag: (release) => release },
    "microsoft/nanoserver": { name: "windows/nanoserver", tag: (release) => release },
    "microsoft/iis": { name: "windows/servercore/iis", tag: (release) => `windowsservercore-${release}` },
    "microsoft/aspnet": { name: "dotnet/framework/aspnet", tag: framework },
    "microsoft/dotnet-framework": { name: "dotnet/framework/runtime", tag: framework },
  };

/** The image of a repository that Microsoft has moved, for a release of Windows Server. */
export function movedReference(reference: string, windowsServer: string): string | undefined {
  const { name } = parseReference(reference);
  const target = ownValue(moved, name.replace(/^(index\.)?docker\.io\//, ""));
  if (target === undefined) {
    return undefined;
  }
  const release = wordFor({ ...parseReference(reference), tag: "" }, windowsServer);
  return `mcr.microsoft.com/${target.name}:${target.tag(release)}`;
}

/** Microsoft's own base images: only of these it is known which tags there are, and of none with a date or a KB number. */
const isBaseImage = /^mcr\.microsoft\.com\/(windows|dotnet\/framework)(\/|$)/;

/** The same image for another release of Windows Server; `undefined` where nobody may have published it. */
export function referenceFor(reference: string, windowsServer: string): string | undefined {
  const parts = parseReference(reference);
  const named = namedIn(parts);
  if (named === undefined) {
    return undefined;
  }
  const elsewhere = movedReference(reference, windowsServer);
  if (elsewhere !== undefined) {
    return elsewhere;
  }
  // Microsoft publishes windows up to 2019, and windows/server since (Microsoft, Windows base images).
  if (parts.name === "mcr.microsoft.com/windows" && windowsServer !== "2019") {
    return `${parts.name}/server:ltsc${windowsServer}`;
  }
  if (/^mcr\.microsoft\.com\/dotnet\/framework\/.*:4\./.test(reference)) {
    return `${parts.name}:${framework(`ltsc${windowsServer}`)}`;
  }
  const at = parts.tag.toLowerCase().indexOf(named.word);
  const [before, after] = [parts.tag.slice(0, at), parts.tag.slice(at + named.word.length)];
  return isBaseImage.test(parts.name) && !/\d{4}/.test(before + after)
    ? `${parts.name}:${before}${wordFor(parts, windowsServer)}${after}`
    : undefined;
}

/** A build with its release, where it is one: "Windows Server 2022 (build 20348)", "Windows build 19042". */
export function releaseName({ build }: WindowsVersion): string {
  const [release] = Object.entries(windowsBuilds).find(([, text]) => text === `10.0.${build}`) ?? [];
  return release === undefined ? `Windows build ${build}` : `Windows Server ${release} (build ${build})`;
}
