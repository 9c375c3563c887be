/** The parts of a URN: `urn:pulumi:<stack>::<project>::<qualified type>::<logical name>`. */
export interface Urn {
  readonly stack: string;
  readonly project: string;
  /** Types of all its parents and its own, joined by `$`; the stack does not count as a parent. */
  readonly qualifiedType: string;
  readonly name: string;
}

export function parseUrn(urn: string): Urn {
  const [stack = "", project = "", qualifiedType = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project, qualifiedType, name: name.join("::") };
}

export const formatUrn = ({ stack, project, qualifiedType, name }: Urn): string =>
  `urn:pulumi:${stack}::${project}::${qualifiedType}::${name}`;
