import { stackReader } from "capz-windows-kit/commandLine/stackReader";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { snapshotReader } from "../../cluster/source";
import { diagnose } from "../../diagnose";
import { inShort, UnreadError } from "../../unread";
import { type Snapshot, World } from "../../cluster/snapshot";
import { connect, KubeconfigError } from "../../cluster/connect";
import { RecordedError } from "../../cluster/recorded";
import { type RunCommand, runCommand } from "../../cluster/stack";
import { ConfigError } from "capz-windows-kit/problem";
import { formatSections, sectionsOf, UnknownTargetError } from "../commands";
import { type NatRules, natRulesOf, type Reachable, reachableOf } from "../model";
import { routeOf } from "../route";
import { type AccessArguments, definition, readArguments } from "./arguments";

/** What tests replace. */
export interface AccessOptions {
  readonly projectDir: string;
  readonly run: RunCommand;
  readonly connect: typeof connect;
}

async function portsOf(
  { resourceGroup, loadBalancer }: Reachable,
  { run, projectDir }: AccessOptions,
): Promise<NatRules> {
  const { ok, output } = await run(
    "az",
    [
      ...["network", "lb", "inbound-nat-rule", "list"],
      ...["--resource-group", resourceGroup, "--lb-name", loadBalancer, "-o", "json"],
    ],
    projectDir,
  );
  try {
    return ok ? natRulesOf(JSON.parse(output)) : new Map();
  } catch {
    return new Map();
  }
}

/** The way in that the stack file names; recorded objects and clusters by their kubeconfigs have none. */
const ofStackFile = ({ stack, configFile, from }: AccessArguments, { projectDir }: AccessOptions) =>
  stack === undefined || from !== undefined
    ? undefined
    : stackReader.read().factsOfStack(projectDir, stack, configFile).network.wayIn;

/** @throws UnreadError when there is no cluster to log in to */
function checked(snapshot: Snapshot): Snapshot {
  if (new World(snapshot).all("AzureCluster").length > 0) {
    return snapshot;
  }
  const nothing = diagnose(snapshot).findings.find(
    ({ stage, severity }) => stage === "access" && severity === "error",
  );
  if (nothing !== undefined) {
    // With a kubeconfig of the user's own, this command works, too.
    const remedy = nothing.remedy.map((line) =>
      line.replace(/^npm run doctor(?=.* --kubeconfig)/, "npm run access"),
    );
    throw new UnreadError(inShort(nothing.cause, nothing.proofs[0]?.text ?? "", remedy));
  }
  return snapshot;
}

export const run = (argv: readonly string[], options: Partial<AccessOptions> = {}): Promise<number> =>
  answer(
    definition,
    argv,
    [ConfigError, RecordedError, KubeconfigError, UnreadError, UnknownTargetError],
    async () => {
      const all = { projectDir, run: runCommand, connect, ...options };
      const args = readArguments(argv, process.env, all.projectDir);
      const snapshot = checked(await (await snapshotReader(args, all))());
      const found = reachableOf(snapshot, new Map(), ofStackFile(args, all));
      const isDirect = routeOf(found, args) === undefined;
      const reachable = isDirect ? reachableOf(snapshot, await portsOf(found, all)) : found;
      const sections = sectionsOf(reachable, args);
      process.stdout.write(
        args.json
          ? `${JSON.stringify({ version: 1, ...reachable, sections }, null, 2)}\n`
          : formatSections(sections, reachable),
      );
      return 0;
    },
  );

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
