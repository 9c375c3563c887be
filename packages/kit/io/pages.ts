/** Lists that come in pages: no server can make them endless. */

/** A list is longer than its limits, or does not end. */
export class EndlessListError extends Error {
  override readonly name = "EndlessListError";
}

/** What the lists of a command may take together. */
export interface ListBudget {
  /** Bytes of answers that are left. */
  bytes: number;
  /** Items that are left: small ones take more memory than their bytes. */
  items: number;
  /** What is left of the memory of what is kept, in values of JSON; see weightOf. */
  values: number;
  /** The time at which the lists must have ended, as of Date.now(). */
  readonly until: number;
}

const mostItems = 500_000;

/** They take 0.6 GB; of a pod, some 70 are kept. */
const mostValues = 6_000_000;

/** 150,000 pods have 1.2 GB, of which little is kept. */
export const listBudget = (): ListBudget => ({
  bytes: 2 * 2 ** 30,
  items: mostItems,
  values: mostValues,
  until: Date.now() + 5 * 60_000,
});

/** @throws EndlessListError */
function checkBudget({ bytes, items, values }: ListBudget): void {
  const [[, over] = []] = (
    [
      [bytes, "2 GB"],
      [items, "500,000 items"],
      [values, "6,000,000 values"],
    ] as const
  ).filter(([left]) => left < 0);
  if (over !== undefined) {
    throw new EndlessListError(`the lists have more than ${over}`);
  }
}

const mostPages = 1_000;

export interface Page<T> {
  readonly items: readonly T[];
  /** How many there were. Default: that of `items`. */
  readonly count?: number | undefined;
  /** What leads to the next page; "" on the last one. */
  readonly next: string;
  /** Size of the answer. Default: it is not counted. */
  readonly bytes?: number | undefined;
  /** What is kept of it, in values of JSON; see weightOf. Default: it is not counted. */
  readonly values?: number | undefined;
}

/**
 * All items of a list, from the first page on.
 * @param read - reads a page by what led to it; "" for the first one
 * @throws EndlessListError, and what `read` throws
 */
export async function allPages<T>(
  read: (next: string) => Promise<Page<T>>,
  budget: ListBudget = listBudget(),
): Promise<T[]> {
  const items: T[] = [];
  const seen = new Set<string>();
  for (let next = ""; ;) {
    // Another list may have taken what was left.
    checkBudget(budget);
    if (Date.now() > budget.until) {
      throw new EndlessListError("the lists did not end within 5 minutes");
    }
    const page = await read(next);
    budget.bytes -= page.bytes ?? 0;
    budget.items -= page.count ?? page.items.length;
    budget.values -= page.values ?? 0;
    checkBudget(budget);
    for (const item of page.items) {
      items.push(item);
    }
    if (page.next === "") {
      return items;
    }
    next = page.next;
    if (seen.has(next)) {
      throw new EndlessListError("a page of the list leads to itself");
    }
    seen.add(next);
    if (seen.size >= mostPages) {
      throw new EndlessListError(`the list does not end within ${mostPages} pages`);
    }
  }
}
