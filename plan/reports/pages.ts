import type { SourcePart } from "./sources";

/** Pages of this program that its texts name, with links. */

/** A page, and the heading of a section. */
const page = /((?:docs\/[\w-]+|CHANGELOG)\.md), "([^"]+)"/g;

/** Where the pages are, from the folder of the project on: an installed package has them. */
const folder = /[\\/]node_modules[\\/]capz-windows[\\/]/.test(__dirname) ? "node_modules/capz-windows/" : "";

/** The pages of a commit, by the variables that pipelines of GitHub and GitLab set. */
export function commitPages(env: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_SHA: sha } = env;
  const { CI_PROJECT_URL: project, CI_COMMIT_SHA: commit } = env;
  if (server !== undefined && name !== undefined && sha !== undefined) {
    return `${server}/${name}/blob/${sha}/`;
  }
  return project !== undefined && commit !== undefined ? `${project}/-/blob/${commit}/` : undefined;
}

/**
 * In CI of a clone, the pages of the commit; otherwise those beside the report, where it is written into the project
 * folder.
 */
const home = (env: NodeJS.ProcessEnv): string => (folder === "" ? (commitPages(env) ?? "") : folder);

/** A text in parts, the linked ones by the page and the heading that they name. */
export function pageParts(text: string, env: NodeJS.ProcessEnv = process.env): SourcePart[] {
  const parts: SourcePart[] = [];
  let end = 0;
  for (const { 0: whole, 1: file = "", 2: section = "", index } of text.matchAll(page)) {
    const anchor = section
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-");
    parts.push({ text: text.slice(end, index) }, { text: whole, url: `${home(env)}${file}#${anchor}` });
    end = index + whole.length;
  }
  return [...parts, { text: text.slice(end) }].filter((part) => part.text !== "");
}

/** Where it is written what each version does to machines. */
export const changelog = `${folder}CHANGELOG.md, "Rolls machines"`;
