/** Paths of properties: `spec.template`, `data["calico.yaml"]`, `securityRules[allow_ssh].priority`. */

/** A field of a mapping. */
export function fieldPath(parent: string, key: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) {
    return `${parent}[${JSON.stringify(key)}]`;
  }
  return parent === "" ? key : `${parent}.${key}`;
}

/** An element of a list, by its key or its position. */
export const itemPath = (parent: string, key: string | number): string => `${parent}[${key}]`;

type Step = string | number;

/** Pulumi's property paths: `a.b[0].c`, `a["b.c"]`, `a[*]`. */
function steps(path: string): Step[] {
  const found: Step[] = [];
  for (const [, field, index, quoted] of path.matchAll(
    /([^.[\]"]+)(?![^[]*"\])|\[(\d+|\*)\]|\["([^"]*)"\]/g,
  )) {
    if (index !== undefined) {
      found.push(index === "*" ? "*" : Number(index));
    } else {
      found.push(quoted ?? field ?? "");
    }
  }
  return found;
}

function without(value: unknown, [step, ...rest]: readonly Step[]): unknown {
  if (step === undefined || typeof value !== "object" || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    const left = (item: unknown): unknown => (rest.length === 0 ? undefined : without(item, rest));
    return value.map((item: unknown, index) => (step === "*" || step === index ? left(item) : item));
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => rest.length > 0 || (key !== step && step !== "*"))
      .map(([key, inner]) => [key, key === step || step === "*" ? without(inner, rest) : inner]),
  );
}

/** The value without the properties in `ignoreChanges`. */
export const withoutPaths = <T>(value: T, paths: readonly string[]): T =>
  paths.reduce((left, path) => without(left, steps(path)) as T, value);
