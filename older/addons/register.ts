import { createRequire } from "node:module";
import { olderAddons } from "../../addons/olderAddons";
import type * as catalogueModule from "./catalogue";

const load = createRequire(__filename);

olderAddons.fill(() => (load("./catalogue") as typeof catalogueModule).catalogue);
