import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Scene, scenes } from "./scenes";

/** All faults: those of scenes/, and those of the tables in catalogue/. */

const isScene = (value: unknown): value is Scene =>
  typeof value === "object" && value !== null && "make" in value && typeof value.make === "function";

const written = readdirSync(join(__dirname, "catalogue")).flatMap((file) =>
  Object.values(jest.requireActual<Record<string, unknown>>(join(__dirname, "catalogue", file))).flatMap(
    (list) => (Array.isArray(list) ? list.filter(isScene) : []),
  ),
);

export const examples: readonly Scene[] = [...new Set([...scenes, ...written])];
