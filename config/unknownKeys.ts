import type { Path, Step } from "./advice/steps";
import { isWithin, pathText, saysSomething, valueAt } from "./advice/steps";
import { onlyPlace, placesBelow } from "./keyPlaces";
import { misspelled } from "./advice/misspelled";
import { movesTo } from "./advice/movesTo";
import { keysOf, nodeAt } from "./jsonSchema";
import { otherKind } from "./missingChoice";
import { isGroupInGroup, keptProblem, levelTooDeep, nearSteps, pullOut } from "./nearKeys";
import { inOverrides } from "./overridden";
import { inItsPools, inOtherShape } from "./otherShapes";
import { sameWords } from "./sameWords";
import { type KeyAnswer, answerTo } from "./foreignKeys/answer";
import { subnetSteps } from "./foreignKeys/subnets";
import { commonWords, foreignKeyAt, placesOf } from "./foreignKeys/lookup";
import { keyName, placeholder } from "../tools/writeLine";
import { isRecord } from "../tools/untyped";
import { type SchemaProblem, strayProblem } from "./advice/proposals";
import { plainName } from "./words";

/** A key of another tool, or one that users may expect. Its value is not shown, because it may be a password. */
function foreignProblem(path: Path, root: unknown): (SchemaProblem & Pick<KeyAnswer, "asks">) | undefined {
  const answer = answerTo(path, root);
  if (answer === undefined) {
    return undefined;
  }
  const { problem, allowed, note, asks, proposals } = answer;
  return {
    ...strayProblem(path, proposals, { problem, allowed }),
    ...(note === undefined ? {} : { note }),
    ...(asks === undefined ? {} : { asks }),
  };
}

/**
 * The places of the option with the name of a key. A common word alone does not lead to another part of the stack file, and
 * no key leads out of an item of a list: the name of a taint is not that of an image.
 */
const placesFor = (path: Path): readonly string[] =>
  typeof path.at(-2) === "number"
    ? []
    : placesOf(String(path.at(-1))).filter(
        (place) =>
          !commonWords.test(String(path.at(-1))) ||
          (path.length === 1 ? place.split(".").length === 2 : place.split(".")[0] === path[0]),
      );

/** Whether a mapping has keys of this program's mapping of that name, whatever the word means in another tool. */
function isOurs(path: Path, root: unknown): boolean {
  const value = valueAt(root, path);
  const keys = isRecord(value) ? Object.keys(value) : [];
  return (
    keys.length > 0 &&
    placesOf(String(path.at(-1))).some((place) => {
      const known = keysOf(nodeAt(place.split(".")));
      return !place.includes("<") && keys.every((key) => known.includes(key));
    })
  );
}

/** A key that the schema does not know: of another tool, misspelled, in the wrong place, or simply unknown. */
export function unknownKeyProblem(path: Path, root: unknown): SchemaProblem {
  const [, plain = ""] = /^[\w-]{1,40}:([A-Za-z]\w{0,40})$/.exec(String(path[0])) ?? [];
  const isKnown = keysOf(nodeAt([])).includes(plain) || (plain !== "" && foreignKeyAt([plain]) !== undefined);
  if (path.length === 1 && isKnown && valueAt(root, [plain]) === undefined) {
    return strayProblem(path, [[{ move: path, to: [plain] }]], {
      problem: "the prefix is there twice",
      allowed: `capz-windows:${plain}`,
    });
  }
  const key = String(path.at(-1));
  if (isGroupInGroup(path)) {
    return keptProblem(path, pullOut(path, root), root);
  }
  const kinds = otherKind(path, root);
  if (kinds.length > 0) {
    return {
      ...keptProblem(path, kinds, root),
      problem: `there is no such key with kind: ${String(valueAt(root, [...path.slice(0, -1), "kind"]))}, and all keys beside it are those of another kind`,
    };
  }
  const subnets = subnetSteps(path, root);
  if (subnets.length > 0) {
    return keptProblem(path, subnets, root);
  }
  const shaped = inOtherShape(path, root);
  if (shaped.length > 0) {
    return keptProblem(path, shaped, root);
  }
  const beside = keysOf(nodeAt(path.slice(0, -1), root));
  // `Entra` is `entra` of the same mapping, whatever the word means in another tool.
  const isOwn = beside.some((name) => plainName(name) === plainName(key));
  const answer = isOwn || isOurs(path, root) ? undefined : foreignProblem(path, root);
  const isKept = answer !== undefined && answer.proposals.length > 0 && answer.asks !== true;
  const places = placesFor(path);
  // Without a value for it, the key may be one of this program's in another place; so may one that lost its mapping.
  const isLost =
    (path.length === 1 && places.includes(`poolDefaults.${key}`)) ||
    placesBelow(path.slice(0, -1), places).some((place) => place.endsWith(`.${key}`));
  const isEmpty =
    (isLost && answer !== undefined && (!isKept || /^[A-Z]/.test(key))) ||
    (answer !== undefined &&
      !isKept &&
      answer.problem.startsWith("unknown key; write") &&
      places.some((place) => place.endsWith(`.${key}`)) &&
      misspelled(key, beside) === undefined);
  const other = answer === undefined || isEmpty ? misplacedProblem(path, root) : undefined;
  // What a mapping of another tool says as a whole may be said by its keys.
  const given = valueAt(root, path);
  const fits = places.some((place) => {
    const node = nodeAt(place.split("."));
    return Object.keys(Object(given) as object).some((one) =>
      [...keysOf(node), ...keysOf(node?.items)].includes(one),
    );
  });
  const isOpenMapping = answer?.asks === true && isRecord(given) && !fits;
  const near =
    isOwn ||
    isKept ||
    (!isOpenMapping &&
      (misspelled(key, beside) !== undefined || places.some((place) => place.split(".").at(-1) === key))) ||
    (answer === undefined && path[0] !== "poolDefaults" && levelTooDeep(path, root).length > 0)
      ? []
      : nearSteps(path, root);
  if (near.length > 0) {
    return keptProblem(path, near, root);
  }
  return answer === undefined ||
    other?.proposals.some((steps) => steps.some((step) => "move" in step)) === true
    ? (other ?? misplacedProblem(path, root))
    : answer;
}

/** All options that stand where names belong: they are parts of one and the same. */
function straysBeside([group = ""]: Path, root: unknown): string[] {
  const inner = nodeAt([group])?.additionalProperties;
  const around = valueAt(root, [group]);
  const options = typeof inner === "object" ? keysOf(inner) : [];
  return Object.keys(isRecord(around) ? around : {}).filter((key) => options.includes(key));
}

/** All keys that stand beside the mapping to which they belong: a rule may be about two of them. */
function keysOfOneMapping(path: Path, target: Path, root: unknown): string[] {
  const [parent, holder] = [path.slice(0, -1), target.slice(0, -1)];
  const [known, inner] = [keysOf(nodeAt(parent, root)), keysOf(nodeAt(holder, root))];
  return Object.keys(Object(valueAt(root, parent)) as object).filter(
    (key) => !known.includes(key) && inner.includes(key) && valueAt(root, [...holder, key]) === undefined,
  );
}

/** The likeliest of several places, and the others. */
function wayTo(place: string | undefined, places: readonly string[]): string {
  const others = places.filter((other) => other !== place && !/^(linux|windows)Pools\./.test(other));
  return place?.startsWith("poolDefaults.") === true
    ? `${place} (all pools)${others.length === 0 ? " or below one pool" : `, below one pool, or in ${others.join(" or ")}`}`
    : (place ?? places.join(", "));
}

function misplacedProblem(path: Path, root: unknown): SchemaProblem {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const known = keysOf(nodeAt(parent, root));
  const name = placesBelow(parent, placesFor(path)).length > 0 ? undefined : misspelled(key, known);
  const everywhere = name === undefined ? placesFor(path) : [];
  const others = everywhere.filter((other) => other !== pathText(path));
  const isOfOtherKind = others.length < everywhere.length;
  const places = others.filter(
    (other) => other.includes("<") || nodeAt(other.split("."), root) !== undefined,
  );
  const target = [...parent, name ?? ""];
  const occupied = name !== undefined && valueAt(root, target) !== undefined;
  const place = onlyPlace(path, places, root);
  const single = place?.split(".");
  const isNear = single?.length === path.length + 1 && isWithin(single, parent);
  const strays =
    path.length === 2 && places.length > 0 && !isNear
      ? straysBeside(path, root)
      : isNear
        ? keysOfOneMapping(path, single, root)
        : [];
  const same = isNear || name !== undefined ? [] : sameWords(path, known, root);
  if (same.length > 0) {
    return keptProblem(path, same, root);
  }
  const deep = levelTooDeep(path, root);
  const patches = name === undefined && places.length === 0 ? inOverrides(path, root) : [];
  const proposals: (readonly Step[])[] = [
    ...(strays.length > 1 && single !== undefined
      ? [strays.map((one): Step => ({ move: [...parent, one], to: [...single.slice(0, -1), one] }))]
      : []),
    ...(name === undefined || occupied ? [] : movesTo(path, target, root)),
    ...inItsPools(path, root),
    ...(single === undefined || valueAt(root, single) !== undefined ? [] : movesTo(path, single, root)),
    ...deep,
    ...patches,
  ];
  const inner = keysOf(single === undefined ? undefined : nodeAt(single, root));
  if (
    places.length > 0 &&
    deep.length > 0 &&
    !Object.keys(Object(valueAt(root, path)) as object).every((one) => inner.includes(one))
  ) {
    return keptProblem(path, deep, root);
  }
  // Only the user knows which one is meant, or whether any is: without the key, the cluster would lack what it says.
  const isOpen =
    proposals.length === 0 && !isOfOtherKind && (places.length > 1 || saysSomething(valueAt(root, path)));
  if (isOpen) {
    proposals.push([{ move: path, to: [placeholder("one of these keys")] }]);
  }
  const texts = {
    problem:
      name !== undefined
        ? `unknown key; did you mean ${name}?`
        : isOfOtherKind
          ? `there is no such key with kind: ${String(valueAt(root, [...parent, "kind"]))}`
          : places.length > 0
            ? `unknown key here; it belongs in ${wayTo(place, places)}`
            : proposals[0] !== undefined && proposals[0] === patches[0]
              ? "no key has this name, but a field of Cluster API's objects has it"
              : "unknown key",
    allowed: known.join(", "),
  };
  return {
    ...strayProblem(path, proposals, texts),
    // A top-level key may be a misspelled secret key, whose value must not be shown.
    ...(path.length === 1 ? {} : { value: valueAt(root, path) }),
    ...(isOpen && places.length < 2 ? { note: `or remove ${keyName(key)}` } : {}),
  };
}
