import { text } from "./untyped";

/** CPU and memory quantities in Kubernetes notation. */

/** Quantities such as 500m, 2Gi and 1e3. Source: k8s.io/apimachinery pkg/api/resource. */
export const quantityPattern =
  /^[-+]?(\d+(\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][-+]?(\d+(\.\d*)?|\.\d+))?$/;

const factors: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** A quantity as a number, such as bytes or CPUs; `undefined` for a value that is none. */
export function quantity(value: unknown): number | undefined {
  const written = typeof value === "number" ? String(value) : text(value);
  if (!quantityPattern.test(written)) {
    return undefined;
  }
  const [suffix = ""] = /(?:[KMGTPE]i|[numkMGTPE])$/.exec(written) ?? [];
  return Number(written.slice(0, written.length - suffix.length)) * (factors[suffix] ?? 1);
}

const units = { Mi: 1024 ** 2, Gi: 1024 ** 3 } as const;

/**
 * A memory size in whole Mi or Gi, in bytes. Other suffixes are rejected, above all m: it means thousandths, so "800m"
 * is less than one byte, and Kubernetes accepts it silently.
 * @throws RangeError for any other notation
 */
export function memoryBytes(size: string): number {
  const [, number, unit] = /^([1-9]\d*)(Mi|Gi)$/.exec(size) ?? [];
  if (number === undefined || unit === undefined) {
    throw new RangeError(`${size} is not a memory size in whole Mi or Gi, such as 800Mi`);
  }
  return Number(number) * units[unit as keyof typeof units];
}

/**
 * A CPU quantity such as "1", "0.5" or "500m", in CPUs.
 * @throws RangeError for any other notation, and for zero
 */
export function cpus(quantity: string): number {
  if (!/^(\d+(\.\d+)?|[1-9]\d*m)$/.test(quantity) || Number.parseFloat(quantity) === 0) {
    throw new RangeError(`${quantity} is not a number of CPUs such as 1, 0.5 or 500m`);
  }
  return Number.parseFloat(quantity) / (quantity.endsWith("m") ? 1000 : 1);
}
