import type { BaseSide } from "../../../plan/cli/baseSide";

/** Uses the older side of a comparison, and removes what it has made, also after a failure. */
export async function using(opening: Promise<BaseSide>, use: (base: BaseSide) => unknown): Promise<void> {
  const base = await opening;
  try {
    await use(base);
  } finally {
    base.remove();
  }
}
