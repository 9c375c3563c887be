import { isStaticPodPath, staticPodFault } from "capz-windows-platform/manifests/staticPods";
import { present } from "capz-windows-kit/present";
import type { Problem } from "capz-windows-kit/problem";
import { unknownSecret } from "../parse";
import { secretFilesOf } from "../secretFiles";
import { type Pool, poolsOf } from "../pools";
import type { Settings } from "../settings";
import { exactlyOne } from "./choices";

/** Where the contents of files come from. */

type File = Pool["files"][number];

const setSecret = "npx pulumi config set --secret capz-windows:secretFiles < FILE";

function sourceProblems(path: string, file: File): Problem[] {
  const from = `${path}.contentFrom`;
  const wrong = exactlyOne(path, file, ["content", "contentFrom"]);
  return present(
    wrong,
    !wrong &&
      file.contentFrom !== undefined &&
      exactlyOne(from, file.contentFrom, ["secretFile", "secret"], [path]),
  );
}

/** Names that secretFiles does not define. While its value is encrypted, they cannot be checked. */
function nameProblems(path: string, { contentFrom }: File, { secretFiles }: Settings): Problem[] {
  const { secretFile: name } = contentFrom ?? {};
  const known = secretFiles === undefined ? {} : secretFilesOf(secretFiles);
  return present(
    name !== undefined &&
      known !== undefined &&
      !Object.hasOwn(known, name) && {
        path: `${path}.contentFrom.secretFile`,
        uses: [path, "secretFiles"],
        problem: `secretFiles has no content ${name}`,
        allowed: "a name in secretFiles, which is a secret and is not shown",
        write: setSecret,
      },
  );
}

const formProblems = ({ secretFiles }: Settings): Problem[] =>
  present(
    secretFiles !== undefined &&
      secretFiles !== unknownSecret &&
      secretFilesOf(secretFiles) === undefined && {
        path: "secretFiles",
        problem: "not a mapping of names to texts (the value is a secret and is not shown)",
        allowed: "a YAML mapping such as licence.key: TEXT",
        write: setSecret,
      },
  );

/** cloud-init and cloudbase-init write a relative path below whatever folder they were started in. */
function placeProblems(path: string, { path: file }: File): Problem[] {
  const isAbsolute = /^(?:\/|[A-Za-z]:[\\/])/.test(file);
  const leadsUp = /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(file);
  return present(
    (!isAbsolute || leadsUp) && {
      path: `${path}.path`,
      value: file,
      problem: isAbsolute ? "a part of the path is .." : "the path is not absolute",
      allowed: "an absolute path without .., such as /etc/motd or C:/k/motd.txt",
    },
  );
}

/** A static pod that would not run, and that no list of pods and images of the plan has. */
function podProblems(path: string, { path: file, content }: File): Problem[] {
  const problem = content !== undefined && isStaticPodPath(file) ? staticPodFault(content) : undefined;
  return present(
    problem !== undefined && {
      path: `${path}.content`,
      uses: [path],
      problem,
      allowed: "the manifest of one Pod; other files in another folder than /etc/kubernetes/manifests",
    },
  );
}

/** Contents that are missing, said twice, or nowhere defined. */
export const fileRules = (settings: Settings): Problem[] => [
  ...formProblems(settings),
  ...poolsOf(settings).flatMap(({ path: place, pool }) =>
    pool.files.flatMap((file, index) => {
      const path = `${place}.files[${index}]`;
      return [
        ...placeProblems(path, file),
        ...sourceProblems(path, file),
        ...nameProblems(path, file, settings),
        ...podProblems(path, file),
      ];
    }),
  ),
];
