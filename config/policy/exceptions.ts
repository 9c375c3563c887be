import type { PolicyException } from "../schema/policyExceptions";
import type { FoundInConfig } from "capz-windows-kit/finding";

/** Findings that a stack file accepts until a day. */

/** The rule of exceptions that are about nothing. */
export const unusedException = {
  level: "warning",
  title: "An exception is about no finding",
} as const;

/** The last day that an exception may name. Later than that, whoever has decided it may no longer be asked. */
export const latestDay = (today: string): string =>
  `${Number(today.slice(0, 4)) + 1}${today.slice(4).replace("-02-29", "-02-28")}`;

const lastDay = ({ until }: PolicyException): string => until.slice(0, 10);

const isInside = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

/** Whether an exception is about a finding. */
export const isAbout = (
  { rule, path }: PolicyException,
  { id, path: own }: Pick<FoundInConfig, "id" | "path">,
): boolean => rule === id && (path === undefined || isInside(own, path));

/** A finding with the last exception that is about it; one that is too long counts for nothing. */
function afterExceptions(
  finding: FoundInConfig,
  exceptions: readonly PolicyException[],
  today: string,
): FoundInConfig {
  const latest = latestDay(today);
  const theirs = exceptions
    .filter((exception) => isAbout(exception, finding))
    .map((exception) => ({ until: lastDay(exception), reason: exception.reason }))
    .sort((a, b) => (a.until < b.until ? 1 : -1));
  const last = theirs.find(({ until }) => until <= latest);
  if (last !== undefined && last.until >= today) {
    return { ...finding, accepted: last };
  }
  const [tooLong] = theirs;
  return tooLong === undefined
    ? finding
    : { ...finding, ...(tooLong.until > latest ? { refused: { ...tooLong, latest } } : { ended: tooLong }) };
}

function unused(
  { rule, path }: PolicyException,
  index: number,
  found: readonly FoundInConfig[],
): FoundInConfig {
  const places = found.filter(({ id }) => id === rule).map((finding) => finding.path);
  const elsewhere = places.length === 0 ? "" : `; its findings are at ${places.join(", ")}`;
  return {
    ...{ id: "unused-exception", ...unusedException, path: `policyExceptions[${index}]` },
    message: path === undefined ? `${rule} finds nothing` : `${rule} finds nothing at ${path}${elsewhere}`,
    write: `remove policyExceptions[${index}]${places.length === 0 ? "" : ", or correct its path"}`,
  };
}

/**
 * The findings with what is accepted, then the exceptions that are about none of them.
 * @param today - such as 2026-11-25
 */
export const withExceptions = (
  found: readonly FoundInConfig[],
  exceptions: readonly PolicyException[],
  today: string,
): FoundInConfig[] => [
  ...found.map((finding) => afterExceptions(finding, exceptions, today)),
  ...exceptions.flatMap((exception, index) =>
    found.some((finding) => isAbout(exception, finding)) ? [] : [unused(exception, index, found)],
  ),
];
