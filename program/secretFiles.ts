import { secretFilesOf } from "../config/secretFiles";
import { poolsOf } from "../config/pools";
import type { Settings } from "../config/settings";

/** The contents of secret files that pools have, by name. A plan knows none of them. */
export const secretFiles = (settings: Settings): Record<string, string> => {
  const known = secretFilesOf(settings.secretFiles) ?? {};
  const names = poolsOf(settings).flatMap(({ pool }) =>
    pool.files.flatMap(({ contentFrom }) => contentFrom?.secretFile ?? []),
  );
  return Object.fromEntries([...new Set(names)].sort().map((name) => [name, known[name] ?? ""]));
};
