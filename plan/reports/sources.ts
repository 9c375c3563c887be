/** Sources of impact rules, with links. */

interface SourcePart {
  readonly text: string;
  readonly url?: string;
}

/**
 * Web pages that are linked. A report can be one that a stranger's pull request wrote: a link to anywhere else stays
 * text.
 */
const pages =
  /https:\/\/(?:learn\.microsoft\.com|kubernetes\.io|www\.pulumi\.com|docs\.tigera\.io|helm\.sh)\/[\w./#-]*[\w/]/g;

/** A source in parts, the linked pages by their hosts. */
export function sourceParts(source: string): SourcePart[] {
  const parts: SourcePart[] = [];
  let end = 0;
  for (const { 0: url, index } of source.matchAll(pages)) {
    parts.push({ text: source.slice(end, index) }, { text: new URL(url).hostname, url });
    end = index + url.length;
  }
  return [...parts, { text: source.slice(end) }].filter(({ text }) => text !== "");
}
