/**
 * How many steps a backtracking matcher makes with a pattern, as V8 does: each character that is compared is one. It
 * counts what a clock would measure, so a test of it means the same on every machine.
 */

type Node =
  | { readonly kind: "one"; readonly is: (character: string) => boolean }
  | { readonly kind: "edge"; readonly holds: (text: string, at: number) => boolean }
  | { readonly kind: "all"; readonly nodes: readonly Node[] }
  | { readonly kind: "any"; readonly nodes: readonly Node[] }
  | { readonly kind: "look"; readonly node: Node; readonly isBehind: boolean; readonly is: boolean }
  | Repeat;

interface Repeat {
  readonly kind: "repeat";
  readonly node: Node;
  readonly least: number;
  readonly most: number;
  readonly isLazy: boolean;
}

const tokens =
  /\(\?<?[=!]|\(\?:|\(\?<\w+>|\((?!\?)|\)|\||\[\^?(?:\\.|[^\]\\])*\]|\\[pu]\{\w+\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[^]|[^]/gi;

const edges: Readonly<Record<string, RegExp>> = { "^": /^/, $: /$/, "\\b": /\b/, "\\B": /\B/ };

/** The alphabet of hostile texts: what a class of characters has in it, is asked once. */
function one(source: string, flags: string): Node {
  const pattern = new RegExp(`^(?:${source})$`, flags.replace(/[gmy]/g, ""));
  const known = new Map<string, boolean>();
  return {
    kind: "one",
    is: (character) => {
      const found = known.get(character) ?? pattern.test(character);
      known.set(character, found);
      return found;
    },
  };
}

/** The tree of a pattern, of the syntax that this program uses. */
function treeOf(source: string, flags: string): Node {
  const all = source.match(tokens) ?? [];
  let at = 0;
  const repeated = (node: Node): Node => {
    const rest = all.slice(at, at + 9).join("");
    const [written = "", sign = "", least, comma, most, lazy] =
      /^(\*|\+|\?|\{(\d+)(,?)(\d*)\})(\??)/.exec(rest) ?? [];
    if (written === "") {
      return node;
    }
    for (let length = 0; length < written.length; at += 1) {
      length += all[at]?.length ?? 1;
    }
    const bounds: Readonly<Record<string, readonly [number, number]>> = {
      ...{ "*": [0, Infinity], "+": [1, Infinity], "?": [0, 1] },
      [`{${least ?? ""}${comma ?? ""}${most ?? ""}}`]: [
        Number(least),
        comma === "," && most === "" ? Infinity : Number(comma === "" ? least : most),
      ],
    };
    const [from, to] = bounds[sign] ?? [1, 1];
    return { kind: "repeat", node, least: from, most: to, isLazy: lazy === "?" };
  };
  const part = (): Node => {
    const nodes: Node[] = [];
    const options: Node[] = [];
    for (; at < all.length && all[at] !== ")";) {
      const token = all[at] ?? "";
      at += 1;
      const edge = edges[token];
      if (token === "|") {
        options.push({ kind: "all", nodes: nodes.splice(0) });
      } else if (edge !== undefined) {
        const sticky = new RegExp(edge.source, `${flags.includes("m") ? "m" : ""}y`);
        nodes.push({
          kind: "edge",
          holds: (text, place) => {
            sticky.lastIndex = place;
            return sticky.test(text);
          },
        });
      } else if (token.startsWith("(")) {
        const node = part();
        at += 1;
        const look = /^\(\?(<?)([=!])$/.exec(token);
        nodes.push(
          look === null
            ? repeated(node)
            : { kind: "look", node, isBehind: look[1] === "<", is: look[2] === "=" },
        );
      } else {
        nodes.push(repeated(one(token, flags)));
      }
    }
    return { kind: "any", nodes: [...options, { kind: "all", nodes }] };
  };
  return part();
}

type Next = (at: number) => boolean;

/** The steps of a search for a pattern in a text; more than `most` are not counted. */
export function stepsOf({ source, flags }: RegExp, text: string, most: number): number {
  let steps = 0;
  const isOne = (node: Node & { kind: "one" }, at: number): boolean => {
    steps += 1;
    if (steps > most) {
      throw new RangeError("more steps");
    }
    return at < text.length && node.is(text.charAt(at));
  };
  const ofOnes = (
    node: Node & { kind: "one" },
    { least, most: top, isLazy }: Repeat,
    at: number,
    next: Next,
  ) => {
    let end = at;
    if (isLazy) {
      for (; end < at + least; end += 1) {
        if (!isOne(node, end)) {
          return false;
        }
      }
      for (; !next(end); end += 1) {
        if (end >= at + top || !isOne(node, end)) {
          return false;
        }
      }
      return true;
    }
    while (end < at + top && isOne(node, end)) {
      end += 1;
    }
    for (; end >= at + least; end -= 1) {
      if (next(end)) {
        return true;
      }
    }
    return false;
  };
  const times = (repeat: Repeat, count: number, at: number, next: Next): boolean => {
    const more = (): boolean =>
      count < repeat.most &&
      matches(repeat.node, at, (end) => end > at && times(repeat, count + 1, end, next));
    if (count < repeat.least) {
      return matches(repeat.node, at, (end) => times(repeat, count + 1, end, next));
    }
    return repeat.isLazy ? next(at) || more() : more() || next(at);
  };
  const matches = (node: Node, at: number, next: Next): boolean => {
    switch (node.kind) {
      case "one":
        return isOne(node, at) && next(at + 1);
      case "edge":
        return node.holds(text, at) && next(at);
      case "any":
        return node.nodes.some((option) => matches(option, at, next));
      case "all": {
        const from = (index: number, place: number): boolean => {
          const item = node.nodes[index];
          return item === undefined ? next(place) : matches(item, place, (end) => from(index + 1, end));
        };
        return from(0, at);
      }
      case "look": {
        const starts = node.isBehind
          ? Array.from({ length: Math.min(at, 3) + 1 }, (_, back) => at - back)
          : [at];
        const found = starts.some((start) =>
          matches(node.node, start, (end) => !node.isBehind || end === at),
        );
        return found === node.is && next(at);
      }
      case "repeat":
        return node.node.kind === "one" ? ofOnes(node.node, node, at, next) : times(node, 0, at, next);
    }
  };
  const tree = treeOf(source, flags);
  try {
    for (let at = 0; at <= text.length; at += 1) {
      if (matches(tree, at, () => true)) {
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
  }
  return steps;
}

const letters = "aA0 -_/.:'\"(=,\nk".split("");

const alphabet = [...letters, ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))];

/** A short text for a part of a pattern: the first option, each repetition as seldom as it may be. */
function sampleOf(node: Node, option: number): string {
  switch (node.kind) {
    case "one":
      return alphabet.find(node.is) ?? "a";
    case "any":
      return sampleOf(node.nodes[option % node.nodes.length] ?? { kind: "all", nodes: [] }, option);
    case "all":
      return node.nodes.map((item) => sampleOf(item, option)).join("");
    case "repeat":
      return sampleOf(node.node, option).repeat(Math.max(1, node.least));
    default:
      return "";
  }
}

/** The sequences in a pattern: the whole, and that of each group. */
function sequencesOf(node: Node): (readonly Node[])[] {
  switch (node.kind) {
    case "all":
      return [node.nodes, ...node.nodes.flatMap(sequencesOf)];
    case "any":
      return node.nodes.flatMap(sequencesOf);
    case "repeat":
    case "look":
      return sequencesOf(node.node);
    default:
      return [];
  }
}

/** Texts of a length that are made for a pattern: parts of it again and again, after what may stand before them. */
export function hostileTexts({ source, flags }: RegExp, length: number): string[] {
  const filled = (before: string, part: string): string[] =>
    part === "" ? [] : [(before + part.repeat(length)).slice(0, length)];
  const texts = sequencesOf(treeOf(source, flags)).flatMap((nodes) =>
    [0, 1].flatMap((option) => {
      const parts = nodes.map((node) => sampleOf(node, option));
      const cuts = nodes.flatMap(({ kind }, index) => (kind === "one" ? [] : [index, index + 1]));
      const places = [...new Set([0, ...cuts, nodes.length])];
      return places.flatMap((from) =>
        places
          .filter((to) => to > from)
          .flatMap((to) => {
            const part = parts.slice(from, to).join("");
            return [
              ...filled("", part),
              ...filled("", part === "" ? "" : `${part} `),
              ...filled(parts.slice(0, from).join(""), part),
            ];
          }),
      );
    }),
  );
  return [...new Set([...texts, ...letters.flatMap((letter) => filled("", letter))])];
}
