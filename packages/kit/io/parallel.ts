/**
 * Runs jobs in parallel, some of them at the same time. The results are in the order of the jobs.
 * @throws what the first failed job threw, after the jobs that had begun have ended; no other job is begun then
 */
export async function inParallel<T>(jobs: readonly (() => Promise<T>)[], limit: number): Promise<T[]> {
  const results: T[] = [];
  const failures: unknown[] = [];
  const waiting = [...jobs.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && failures.length === 0; next = waiting.shift()) {
      const [index, job] = next;
      try {
        results[index] = await job();
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, jobs.length) }, work));
  if (failures.length > 0) {
    throw failures[0];
  }
  return results;
}
