import * as pulumi from "@pulumi/pulumi";
import { loadSettings } from "../config/load";
import { ConfigError } from "../tools/problem";
import type { Settings } from "../config/settings";
import { projectConfig } from "../config/stackFile";
import { manifestCacheVariable, offlineOrganization } from "../tools/offline";
import { warningTexts } from "../tools/warningText";
import { reportErrors } from "./errorStacks";
import { silentServer } from "./silentServer";
import { adviseAfterErrors } from "../components/childOptions";
import { ManifestError } from "../addons/pinnedManifest";

/** The settings of the running stack; its warnings go to the log. */
function stackSettings(): Settings {
  const config = projectConfig(pulumi.getProject(), pulumi.runtime.allConfig());
  const { settings, warnings } = loadSettings(config, `Pulumi.${pulumi.getStack()}.yaml`);
  for (const text of warningTexts(warnings)) {
    void pulumi.log.warn(text);
  }
  return settings;
}

/** How the program is run, and where it finds files that it would otherwise download. */
export interface Run {
  /** Name of the stack. */
  readonly stack: string;
  /** Run by the offline plan, which downloads nothing. */
  readonly offline: boolean;
  /** Folder with verified manifests. */
  readonly manifestCache: string | undefined;
  /** Folder of Pulumi.yaml, to which the paths in the stack file are relative. */
  readonly rootDir: string;
}

function currentRun(): Run {
  const offline = pulumi.getOrganization() === offlineOrganization;
  return {
    stack: pulumi.getStack(),
    offline,
    rootDir: pulumi.runtime.getRootDirectory(),
    // A deployment runs the program twice, for its preview and for itself: one download is enough.
    manifestCache: process.env[manifestCacheVariable] ?? (offline ? undefined : ".cache/manifests"),
  };
}

/** Only in a preview: an `up` learns it from the Kubernetes provider. */
async function warnOfSilence({ managementKubeconfig }: Settings, { offline }: Run): Promise<void> {
  if (managementKubeconfig !== undefined && !offline && pulumi.runtime.isDryRun()) {
    const warning = await silentServer(managementKubeconfig, process.env);
    if (warning !== undefined) {
      await pulumi.log.warn(warning);
    }
  }
}

/** Errors whose messages are complete reports for the user. */
const forPeople = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof ManifestError;

/** This is printed before an update, because an update that fails prints no outputs. */
function adviseDoctor({ offline }: Run): void {
  if (!offline && !pulumi.runtime.isDryRun()) {
    void pulumi.log.info(
      `If this fails or takes too long, this command says why: npm run doctor -- --stack ${pulumi.getStack()}`,
    );
  }
}

/**
 * A Pulumi program over the settings of its stack. What is wrong with the stack file or a manifest is printed by
 * Pulumi as it is, without a stack trace.
 */
export const stackProgram =
  <Outputs>(build: (settings: Settings, run: Run) => Promise<Outputs>) =>
  async (): Promise<Outputs> => {
    reportErrors();
    try {
      const run = currentRun();
      adviseDoctor(run);
      if (!run.offline) {
        adviseAfterErrors();
      }
      const settings = stackSettings();
      const [outputs] = await Promise.all([build(settings, run), warnOfSilence(settings, run)]);
      return outputs;
    } catch (error) {
      throw forPeople(error) ? new pulumi.RunError(error.message) : error;
    }
  };
