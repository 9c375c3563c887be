import { join } from "node:path";

/** The folder with schemas.json: the schemas of the CRDs, as far as the program makes objects of them. */
export const crdsFolder = join(__dirname, "crds");
