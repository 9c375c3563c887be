import type { Problem } from "capz-windows-kit/problem";
import { pathText, type Path } from "./steps";

/**
 * Names of keys that JavaScript has another use for: it would ignore the first, and calls what has the second wherever a mapping
 * becomes text, in the program and in its libraries. Other names that all objects inherit are keys like all others.
 */
const unusable = /^(?:capz-windows:)?(?:__proto__|toString)$/;

/** The keys at any depth that no JavaScript program can read as any other key. */
export function unusableNames(value: unknown, path: Path): Problem[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    if (!unusable.test(key)) {
      return unusableNames(inner, at);
    }
    return [
      {
        path: pathText(at),
        problem: "JavaScript has another use for this name, so the program cannot read the key",
        allowed: "other names",
      },
    ];
  });
}
