/** Sizes of memory in Kubernetes' notation, as people should write them. */

const units = { Mi: 1024 ** 2, Gi: 1024 ** 3 } as const;

/**
 * Bytes of a size of memory in whole Mi or Gi. Other suffixes are refused, above all m: it means thousandths, so that
 * "800m" is less than one byte, and Kubernetes takes it without a word.
 * @throws RangeError
 */
export function memoryBytes(size: string): number {
  const [, number, unit] = /^([1-9]\d*)(Mi|Gi)$/.exec(size) ?? [];
  if (number === undefined || unit === undefined) {
    throw new RangeError(`${size} is no size of memory in whole Mi or Gi, such as 800Mi`);
  }
  return Number(number) * units[unit as keyof typeof units];
}

/** CPUs of a quantity such as "1", "0.5" or "500m". @throws RangeError */
export function cpus(quantity: string): number {
  if (!/^(\d+(\.\d+)?|[1-9]\d*m)$/.test(quantity) || Number.parseFloat(quantity) === 0) {
    throw new RangeError(`${quantity} is no number of CPUs such as 1, 0.5 or 500m`);
  }
  return Number.parseFloat(quantity) / (quantity.endsWith("m") ? 1000 : 1);
}
