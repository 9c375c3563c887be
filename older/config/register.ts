import { createRequire } from "node:module";
import { olderRules } from "../../config/olderRules";
import type * as rulesModule from "./rules";

const load = createRequire(__filename);

olderRules.fill(() => load("./rules") as typeof rulesModule);
