import type { Difference } from "../differences";
import { formatList } from "../format";
import type { ClusterPair, ImpactRule } from "../impactRule";
import { findPool, poolLabel } from "../machines";

/** What has overrides, and where they reach on either side. */
interface Owner {
  readonly label: string;
  readonly fields: readonly string[];
}

function ownerOf({ part }: Difference, { base, head }: ClusterPair): Owner | undefined {
  const fieldsOf = (...sides: readonly ({ readonly overrides?: readonly string[] } | undefined)[]) => [
    ...new Set(sides.flatMap((side) => side?.overrides ?? [])),
  ];
  switch (part.kind) {
    case "pool": {
      const [before, after] = [findPool(base, part.name), findPool(head, part.name)];
      const pool = after ?? before;
      return pool && { label: poolLabel(pool), fields: fieldsOf(before, after) };
    }
    case "controlPlane":
      return { label: "The control plane", fields: fieldsOf(base?.controlPlane, head?.controlPlane) };
    case "cluster":
      return { label: "The cluster", fields: fieldsOf(base, head) };
    default:
      return undefined;
  }
}

/** The overridden field that a difference is about: it, something in it, or a mapping that came or went with it. */
function fieldOf(difference: Difference, owner: Owner): string | undefined {
  const own = `${difference.type} ${difference.path}`.replaceAll(/\["|"\]/g, "");
  return difference.path === "" || difference.option
    ? undefined
    : owner.fields.find(
        (field) => own === field || own.startsWith(`${field}.`) || field.startsWith(`${own}.`),
      );
}

/** Merge patches of users: that a change is one of theirs is told beside what the rules of the objects say. */
export const overrideRules: readonly ImpactRule[] = [
  {
    id: "overrides-change",
    source: "project: merge patches of the stack file, applied before names are hashed",
    informational: true,
    match: (difference, clusters) => {
      const owner = ownerOf(difference, clusters);
      return owner !== undefined && fieldOf(difference, owner) !== undefined;
    },
    what: (matched, clusters) => {
      const [first] = matched;
      const owner = ownerOf(first, clusters);
      const fields = owner && matched.flatMap((difference) => fieldOf(difference, owner) ?? []);
      return owner && `${owner.label} has other overrides: ${formatList([...new Set(fields)], 6)}`;
    },
    why: "the stack file reaches these fields by a merge patch and not by a key: the other lines say what comes of them, as far as it is known",
  },
];
