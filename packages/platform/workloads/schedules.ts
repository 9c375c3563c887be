/** The schedules that a CronJob takes (github.com/robfig/cron v3, ParseStandard). */

const months = ["", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Least and most of each part, and the words that it may have in place of numbers. */
const parts: readonly (readonly [least: number, most: number, words: readonly string[]])[] = [
  [0, 59, []],
  [0, 23, []],
  [1, 31, []],
  [1, 12, months],
  [0, 6, days],
];

/** One of a list: *, 5, 1-5 or mon-fri, each with a step such as /2. */
function isEntry(entry: string, [least, most, words]: (typeof parts)[number]): boolean {
  const [whole, from, to, step] =
    /^(?:[*?]|([a-z]{3}|\d+)(?:-([a-z]{3}|\d+))?)(?:\/(\d+))?$/i.exec(entry) ?? [];
  const numberOf = (word: string): number =>
    /^\d+$/.test(word) ? Number(word) : words.indexOf(word.toLowerCase());
  const start = from === undefined ? least : numberOf(from);
  const end = to === undefined ? start : numberOf(to);
  return whole !== undefined && Number(step ?? 1) > 0 && least <= start && start <= end && end <= most;
}

export function isSchedule(value: string): boolean {
  if (/^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/.test(value)) {
    return true;
  }
  const given = value.trim().split(/\s+/);
  return (
    given.length === parts.length &&
    parts.every((part, index) => given[index]?.split(",").every((entry) => isEntry(entry, part)) === true)
  );
}
