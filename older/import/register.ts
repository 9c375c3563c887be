import { createRequire } from "node:module";
import { olderSource } from "../../commands/import/olderSource";
import type * as apimodelModule from "./apimodel";

const load = createRequire(__filename);

olderSource.fill(() => load("./apimodel") as typeof apimodelModule);
