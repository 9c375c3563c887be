import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from "yaml";
import { yamlDocument } from "capz-windows-kit/boundedYaml";
import { configNamespace } from "../misplacedConfig";
import { pathOf } from "../steps";

/** Lines of a stack file. */

interface Place {
  /** Offset of the key or the item. */
  readonly at: number;
  readonly value: unknown;
}

function below(document: Document, node: unknown, key: string): Place | undefined {
  const holder = isAlias(node) ? node.resolve(document) : node;
  if (isSeq(holder)) {
    const item = holder.items[Number(key)] as Node | undefined;
    return item?.range ? { at: item.range[0], value: item } : undefined;
  }
  const pair = isMap(holder)
    ? holder.items.find(({ key: own }) => isScalar(own) && String(own.value) === key)
    : undefined;
  return isScalar(pair?.key) && pair.key.range ? { at: pair.key.range[0], value: pair.value } : undefined;
}

/**
 * The line of a key of a stack; of the innermost mapping around it that the file has, if the key is not there.
 * @param path - as reports print it, with or without its prefix; or the place of an error of YAML
 */
export function lineOf(text: string, path: string): number {
  const [, written] = /^line (\d+), column \d+$/.exec(path) ?? [];
  if (written !== undefined) {
    return Number(written);
  }
  const document = yamlDocument(text);
  const [first = "", ...rest] = pathOf(path.replace(`${configNamespace}:`, "")).map(String);
  const config = below(document, document.contents, "config");
  const top =
    config &&
    (below(document, config.value, `${configNamespace}:${first}`) ?? below(document, config.value, first));
  let place = top ?? config;
  for (const key of top === undefined ? [] : rest) {
    const next = below(document, place?.value, key);
    if (next === undefined) {
      break;
    }
    place = next;
  }
  return text.slice(0, place?.at ?? 0).split("\n").length;
}
