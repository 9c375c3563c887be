import { readFileSync } from "node:fs";
import { join } from "node:path";

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies: Versions;
  readonly peerDependencies?: Versions;
}

const isMissing = (error: unknown): boolean =>
  /^(ERR_)?MODULE_NOT_FOUND$/.test((error as { readonly code?: string }).code ?? "");

/**
 * Loads a package that only some commands need. The npm package names these as optional peers, which npm does not install by
 * itself (scripts/build.js); a clone has them always.
 * @param why - what it is needed for: "The package NAME, with which `why`, is not installed"
 * @param errorOf - the error of the command whose message says what to install
 */
export async function loadOptional<T>(
  name: string,
  why: string,
  load: () => Promise<T>,
  errorOf: (message: string) => Error,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
    const manifest = JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8")) as Manifest;
    const peers = manifest.peerDependencies ?? { [name]: manifest.dependencies[name] ?? "latest" };
    const wanted = Object.entries(peers).map(([peer, version]) => `${peer}@${version}`);
    throw errorOf(
      `The package ${name}, with which ${why}, is not installed, because plans and deployments do not need it.\nWrite: npm install --save-exact ${wanted.join(" ")}`,
    );
  }
}
