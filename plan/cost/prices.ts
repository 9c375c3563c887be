import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "capz-windows-kit/io/atomic";
import { FileError, mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { ownValue } from "capz-windows-kit/untyped";

/** Prices of a region, in a file of the project, so that they can be committed and pull requests need no network. */

/** There are no prices; the message says why, in one line. */
export class PricesError extends Error {
  override readonly name = "PricesError";
}

const price = z.number().min(0);

const priceList = z.strictObject({
  version: z.literal(1),
  region: z.string(),
  /** ISO 4217 */
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** Of the day when the prices were fetched: 2026-11-23. */
  date: z.iso.date(),
  source: z.string(),
  /** Name → price. The names are those of the items of a bill. */
  perHour: z.record(z.string(), price),
  perMonth: z.record(z.string(), price),
});

export type PriceList = z.infer<typeof priceList>;

/** The month of Azure's own calculator. */
export const hoursPerMonth = 730;

/** Price of one thing a month; `undefined` where the list does not have it. */
export function monthly({ perHour, perMonth }: PriceList, name: string): number | undefined {
  const hour = ownValue(perHour, name);
  return hour === undefined ? ownValue(perMonth, name) : hour * hoursPerMonth;
}

/** Relative to the folder of Pulumi.yaml. Names of regions have only these characters, whatever a foreign plan says. */
export const pricesFile = (region: string): string => `prices/${region.replace(/[^a-z0-9]/g, "")}.json`;

/**
 * @returns `undefined` where there is no file
 * @throws PricesError for a file that is no price list
 */
export function readPrices(projectDir: string, region: string): PriceList | undefined {
  const file = pricesFile(region);
  let content: string;
  try {
    content = readBoundedText(join(projectDir, file), mostBytes.prices);
  } catch (error) {
    if (error instanceof FileError) {
      throw new PricesError(`${file} cannot be read: ${error.message}`);
    }
    return undefined;
  }
  try {
    return priceList.parse(JSON.parse(content));
  } catch {
    throw new PricesError(`${file} is not a price list: delete it`);
  }
}

export const writePrices = (projectDir: string, list: PriceList): void => {
  writeAtomically(join(projectDir, pricesFile(list.region)), `${JSON.stringify(list, undefined, 2)}\n`);
};
