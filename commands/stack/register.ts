import "../../older/addons/register";
import "../../older/config/register";
import { createRequire } from "node:module";
import { stackReader } from "capz-windows-kit/commandLine/stackReader";
import type * as problemLinesModule from "./problemLines";
import { factsOfStack, ownOfStack } from "./settings";

/** Lets every command read stack files of this program. */

/** Loads the reader of YAML only for an error. */
const load = createRequire(__filename);

stackReader.fill(() => ({
  ...{ factsOfStack, ownOfStack },
  withLines: (projectDir, error) =>
    (load("./problemLines") as typeof problemLinesModule).withLines(projectDir, error),
}));
