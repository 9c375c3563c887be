/** CPU and memory quantities in Kubernetes notation, limited to the unambiguous suffixes. */

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
