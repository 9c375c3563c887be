import { availableParallelism } from "node:os";

/** Runs jobs in parallel, at most one for each processor of the machine. The results are in the order of the jobs. */
export async function inParallel<T>(
  jobs: readonly (() => Promise<T>)[],
  limit = availableParallelism(),
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index];
      if (job) {
        results[index] = await job();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, jobs.length) }, work));
  return results;
}
