import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RunOptions } from "./options";
import { isFolder, manifestOf, ownFiles, placeOf } from "./place";
import { projectText } from "./projectText";
import { typeScriptLoader, typeScriptStack } from "./transpile.js";

/** Loads a program in this process, again for each run. */

/** The `require` of a project's own files. */
export const requireOf = (projectDir: string): NodeJS.Require =>
  createRequire(join(projectDir, "package.json"));

function sdkOf(load: NodeJS.Require): string | undefined {
  try {
    return realpathSync(load.resolve("@pulumi/pulumi/package.json"));
  } catch {
    return undefined;
  }
}

/** Under a test runner with its own modules, a file cannot be loaded twice. */
function canReload({ cache }: NodeJS.Require, projectDir: string): boolean {
  const probe = join(projectDir, "no such file.js");
  cache[probe] = module;
  const kept = cache[probe] === module;
  Reflect.deleteProperty(cache, probe);
  return kept;
}

/** The file or folder of the program, as the language host finds it; `undefined` for ES modules and `exports`. */
function entryOf(options: Pick<RunOptions, "projectDir" | "main">): string | undefined {
  const { pwd, entry } = placeOf(options);
  const manifest = manifestOf(pwd);
  if (!manifest || manifest.type === "module") {
    return undefined;
  }
  if (entry !== ".") {
    return join(pwd, entry);
  }
  if (manifest.exports !== undefined) {
    return undefined;
  }
  const main = typeof manifest.main === "string" && manifest.main !== "" ? manifest.main : undefined;
  return main !== undefined && existsSync(join(manifest.dir, main)) ? join(manifest.dir, main) : pwd;
}

/** A tsconfig without its comments and trailing commas. */
const withoutComments = (text: string): string =>
  text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_, quoted?: string) => quoted ?? "")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? "");

/** Whether a tsconfig makes ts-node do what `transpile.js` does. */
function isTranspiledBySwc(file: string): boolean {
  try {
    const config = JSON.parse(withoutComments(projectText(file))) as {
      readonly compilerOptions?: Readonly<Record<string, unknown>>;
      readonly "ts-node"?: Readonly<Record<string, unknown>>;
    };
    const { noCheck, target, module: kind, esModuleInterop } = config.compilerOptions ?? {};
    const texts = [target, kind].map((text) => String(text).toLowerCase()).join();
    return (
      noCheck === true &&
      esModuleInterop === true &&
      texts === "es2022,node16" &&
      config["ts-node"]?.swc === true
    );
  } catch {
    return false;
  }
}

const isOff = (variable: string | undefined): boolean => variable === "false";

/** Whether the language host would load TypeScript. */
const wantsTypeScript = ({ env }: RunOptions): boolean => !isOff(env?.PULUMI_NODEJS_TYPESCRIPT);

const tsconfigOf = (options: RunOptions): string =>
  join(placeOf(options).pwd, options.tsconfig ?? "tsconfig.json");

/**
 * Why a program cannot run in this process; `undefined` if it can. It can if this process gives it the same conditions
 * as its own process, except for the language, and if its files can be loaded again for each run.
 */
export function obstacleOf(options: RunOptions): string | undefined {
  const { projectDir, nodeArgs = [], env = {} } = options;
  const load = requireOf(projectDir);
  if (nodeArgs.length > 0) {
    return "it has arguments for Node.js";
  }
  if (env.PULUMI_NODEJS_TRANSPILE_ONLY !== undefined) {
    return "its environment says how TypeScript is loaded";
  }
  if (sdkOf(load) === undefined || sdkOf(load) !== sdkOf(createRequire(__filename))) {
    return "it has its own Pulumi SDK";
  }
  if (!canReload(load, projectDir)) {
    return "this process cannot load files again";
  }
  const { pwd } = placeOf(options);
  if (existsSync(join(manifestOf(pwd)?.dir ?? pwd, ".npmrc"))) {
    return "its .npmrc may ask for another version of Node.js";
  }
  const entry = entryOf(options);
  if (entry === undefined) {
    return "its package.json makes it an ES module, has exports, or is missing";
  }
  const files = isFolder(entry)
    ? ["index.js", "index.ts"].filter((name) => existsSync(join(entry, name)))
    : [entry];
  if (files.length !== 1) {
    return "it has no entry, or two";
  }
  return files[0]?.endsWith(".js") === true ||
    (files[0]?.endsWith(".ts") === true && wantsTypeScript(options) && isTranspiledBySwc(tsconfigOf(options)))
    ? undefined
    : "its entry is neither JavaScript nor TypeScript that swc transpiles for ES2022, node16 and esModuleInterop";
}

/**
 * Prepares to load the files of a program again; packages and stateless files stay loaded. Until `unload` is called,
 * `require` finds these files in this process.
 */
export function programLoader(options: RunOptions): {
  /** Loads the program and returns its export or, if that is a function, its result, like the language host. */
  readonly start: () => unknown;
  readonly unload: () => void;
  /** For `Error.prepareStackTrace`; `undefined` if the program is not transpiled. */
  readonly stackTrace: NonNullable<typeof Error.prepareStackTrace> | undefined;
} {
  const { projectDir, stateless = [] } = options;
  const load = requireOf(projectDir);
  const ownFile = ownFiles(projectDir);
  const isFresh = (file: string): boolean => {
    const path = ownFile(file);
    return path !== undefined && !stateless.some((folder) => path.startsWith(`${folder}/`));
  };
  const takeOwn = (): (readonly [string, NodeJS.Module])[] =>
    Object.entries(load.cache).flatMap(([file, loaded]) => {
      if (!loaded || !isFresh(file)) {
        return [];
      }
      Reflect.deleteProperty(load.cache, file);
      return [[file, loaded] as const];
    });
  const before = takeOwn();
  // Deprecated for new file types; ts-node and every other loader of TypeScript for `require` hangs on it.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const { extensions } = load;
  const typeScript = extensions[".ts"];
  const isTypeScript = wantsTypeScript(options) && isTranspiledBySwc(tsconfigOf(options));
  if (isTypeScript) {
    extensions[".ts"] = typeScriptLoader(projectDir);
  }
  return {
    stackTrace: isTypeScript ? typeScriptStack : undefined,
    start: () => {
      const program: unknown = load(entryOf(options) ?? projectDir);
      return typeof program === "function" ? (program as () => unknown)() : program;
    },
    unload: () => {
      takeOwn();
      for (const [file, loaded] of before) {
        load.cache[file] = loaded;
      }
      if (typeScript) {
        extensions[".ts"] = typeScript;
      } else {
        Reflect.deleteProperty(extensions, ".ts");
      }
    },
  };
}
