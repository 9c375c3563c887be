import { canonicalJson } from "../../capi/contentHash";
import type { KubernetesObject } from "capz-types";
import type { Plan } from "../../plan/model/plan";
import { readStackFile } from "../../config/stackFile";
import { planFileInline } from "../support/inlinePlans";
import { readExample } from "../support/stacks";
import { ApiServer } from "../apiserver/client";
import type { Engine } from "./engine";
import { touched, type Run } from "./events";
import { isWholeRun } from "./ofRun";
import { isRecord, type Plain } from "capz-windows-kit/untyped";

/** The life of a stack: deployed, unchanged, refreshed, destroyed, and once more. */

/** An API server that is asked for what is left. */
export class Objects extends ApiServer {
  private async exists(object: KubernetesObject): Promise<boolean> {
    const path = await this.path(object);
    return path !== undefined && (await this.call("GET", path)).status === 200;
  }

  /** Those of these objects that exist. */
  async existing(objects: readonly KubernetesObject[]): Promise<string[]> {
    const found = await Promise.all(objects.map((each) => this.exists(each)));
    return objects
      .filter((_, index) => found[index])
      .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`);
  }

  /** Deletes objects, namespaces last, and waits until they are gone. */
  async clear(objects: readonly KubernetesObject[]): Promise<void> {
    const isNamespace = ({ kind }: KubernetesObject): boolean => kind === "Namespace";
    const loose = objects.filter(
      (each) => !isNamespace(each) && (each.metadata.namespace ?? "default") === "default",
    );
    await Promise.all(loose.map((each) => this.remove(each)));
    const namespaces = objects.filter(isNamespace);
    await Promise.all(namespaces.map((each) => this.remove(each)));
    const end = Date.now() + 120_000;
    for (let left = await this.existing([...loose, ...namespaces]); left.length > 0;) {
      if (Date.now() > end) {
        throw new Error(`the API server does not delete ${JSON.stringify(left).slice(0, 500)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
      left = await this.existing([...loose, ...namespaces]);
    }
  }
}

/** Objects of a plan in all clusters. */
export const objectsIn = ({ objects }: Plan): KubernetesObject[] =>
  [...objects.management, ...objects.sample]
    .map(({ object }) => object)
    .filter(({ kind }) => !kind.endsWith("Patch"));

/**
 * Writes an example as the stack of an engine, with contents of its secrets.
 * @param kubeconfig - for an example on a management cluster that exists
 * @param changes - keys with their prefix
 * @returns the config as a program gets it
 */
export async function writeExample(
  engine: Engine,
  stack: string,
  kubeconfig: string,
  changes: Plain = {},
): Promise<Plain> {
  const { config } = readExample(stack);
  const contents: Readonly<Record<string, string>> = {
    "capz-windows:managementKubeconfig": kubeconfig,
    "capz-windows:secretFiles": JSON.stringify({ "licence.key": "not a licence" }),
  };
  const secrets = Object.fromEntries(Object.entries(contents).filter(([key]) => key in config));
  const values = Object.entries(config).filter(([key]) => !(key in secrets));
  const parsed = values.map(([key, value]) => [key, parsedText(value)] as const);
  engine.write(stack, { ...Object.fromEntries(parsed), ...changes });
  await engine.init(stack);
  await engine.encrypt(stack, secrets);
  return Object.fromEntries(
    Object.entries({ ...config, ...changes, ...secrets }).map(([key, value]) => [
      key,
      key in secrets ? value : asPassed(value),
    ]),
  );
}

/** The CLI passes structured values with sorted keys. A plan of a stack file has them in the order of the file. */
function asPassed(value: unknown): unknown {
  const parsed = typeof value === "string" ? parsedText(value) : value;
  return isRecord(parsed) || Array.isArray(parsed) ? canonicalJson(parsed) : value;
}

/** Writes an example as the stack of an engine, such that it can be destroyed, and plans it. */
export async function planExample(engine: Engine, stack: string, kubeconfig: string): Promise<Plan> {
  await writeExample(engine, stack, kubeconfig, { "capz-windows:protect": false });
  return planFileInline(readStackFile(engine.dir, stack));
}

function parsedText(value: string): unknown {
  return /^[[{]|^(true|false)$/.test(value) ? (JSON.parse(value) as unknown) : value;
}

const urnsOf = ({ update }: Plan): string[] => update.resources.map(({ urn }) => urn).sort();

/** What the program warns of in a plan, sorted. */
const warningsOf = ({ update }: Plan): string[] =>
  update.diagnostics
    .filter(({ severity }) => severity === "warning")
    .map(({ message }) => message.trim())
    .sort();

/** Expects that a run did only this, to these resources. */
function expectOnly(run: Run | undefined, op: string, urns: readonly string[]): void {
  expect(Object.keys(run!.urns)).toEqual([op]);
  expect(run!.urns[op]).toEqual(urns);
}

/**
 * Deploys a stack, and expects what its plan says, with the same warnings; with CAPZ_WINDOWS_LIVES=all in the preview before,
 * too, for which changeTable.test.ts and changes.test.ts are enough on other days.
 */
export async function deploy(engine: Engine, plan: Plan): Promise<void> {
  const { runs } = await engine.must(plan.stack, ["up", "--yes", ...(isWholeRun ? [] : ["--skip-preview"])]);
  expect(runs).toHaveLength(isWholeRun ? 2 : 1);
  for (const run of runs) {
    expectOnly(run, "create", urnsOf(plan));
    expect([...run.warnings].sort()).toEqual(warningsOf(plan));
  }
}

/** Expects that a deployed stack is what its program wants, and what its clouds have. */
export async function expectUnchanged(engine: Engine, plan: Plan): Promise<void> {
  const urns = urnsOf(plan);
  const again = await engine.must(plan.stack, ["preview", "--expect-no-changes"]);
  expectOnly(again.runs[0], "same", urns);
  const refreshed = await engine.must(plan.stack, ["refresh", "--yes", "--skip-preview"]);
  expect(Object.keys(refreshed.runs[0]!.counts)).toEqual(["same"]);
}

/** Destroys a stack, and expects that all of it goes. */
export async function destroy(engine: Engine, plan: Plan): Promise<void> {
  const { runs } = await engine.must(plan.stack, ["destroy", "--yes", "--skip-preview"]);
  expect(touched(runs[0]!)).toEqual(urnsOf(plan));
  expect(Object.keys(runs[0]!.urns)).toEqual(["delete"]);
  expect(engine.state(plan.stack)).toEqual([]);
}

/** Deploys it once more: what the first life left behind would be in the way. */
export async function deployAgain(engine: Engine, plan: Plan): Promise<void> {
  const { runs } = await engine.must(plan.stack, ["up", "--yes", "--skip-preview"]);
  expectOnly(runs[0], "create", urnsOf(plan));
}
