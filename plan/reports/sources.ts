/** Sources of impact rules, with links. */

export interface SourcePart {
  readonly text: string;
  readonly url?: string;
}

/**
 * Web pages that are linked. A report can be one that a stranger's pull request wrote: a link to anywhere else stays
 * text.
 */
const pages =
  /https:\/\/(?:learn\.microsoft\.com|kubernetes\.io|www\.pulumi\.com|docs\.tigera\.io|helm\.sh)\/[\w./#-]*[\w/]/;

/** Projects by the names that rules give them. A minor release is a branch, the major release of an SDK none. */
const projects: Readonly<Record<string, { readonly repository: string; readonly ref?: string }>> = {
  CAPI: { repository: "kubernetes-sigs/cluster-api" },
  calico: { repository: "projectcalico/calico" },
  "tigera/operator": { repository: "tigera/operator" },
  CAPZ: { repository: "kubernetes-sigs/cluster-api-provider-azure" },
  "cluster-api-operator": { repository: "kubernetes-sigs/cluster-api-operator" },
  "cluster-autoscaler": { repository: "kubernetes/autoscaler", ref: "master" },
  "azure-native": { repository: "pulumi/pulumi-azure-native", ref: "master" },
  "@pulumi/kubernetes": { repository: "pulumi/pulumi-kubernetes", ref: "master" },
  Pulumi: { repository: "pulumi/pulumi", ref: "master" },
};

function refOf(version: string): string {
  if (version === "") {
    return "main";
  }
  return /^v\d+\.\d+\.\d+$/.test(version) ? version : `release-${version.replace(/^v/, "")}`;
}

/** No segment begins with a dot, so that no path leaves its repository. */
const path = /[\w-][\w.-]*(?:\/[\w-][\w.-]*)+|main\.go/;
const names = Object.keys(projects).join("|");
const inProject = new RegExp(
  `(?<project>${names}) (?:(?<version>v?[\\d.]+) )?(?:PR )?(?:#(?<issue>\\d+)|(?<path>${path.source}))`,
);
const token = new RegExp(`(?<page>${pages.source})|${inProject.source}`, "g");

function urlOf({
  page,
  project = "",
  version = "",
  issue,
  path: file,
}: Readonly<Record<string, string | undefined>>) {
  const { repository = "", ref = refOf(version) } = projects[project] ?? {};
  const home = `https://github.com/${repository}`;
  return page ?? (issue === undefined ? `${home}/blob/${ref}/${file ?? ""}` : `${home}/issues/${issue}`);
}

/** A source in parts, the linked ones by what they name: a page by its host. */
export function sourceParts(source: string): SourcePart[] {
  const parts: SourcePart[] = [];
  let end = 0;
  for (const found of source.matchAll(token)) {
    const groups = found.groups ?? {};
    const text = groups.page === undefined ? found[0] : new URL(groups.page).hostname;
    parts.push({ text: source.slice(end, found.index) }, { text, url: urlOf(groups) });
    end = found.index + found[0].length;
  }
  return [...parts, { text: source.slice(end) }].filter(({ text }) => text !== "");
}
