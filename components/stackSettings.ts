import * as pulumi from "@pulumi/pulumi";
import { loadSettings } from "../config/load";
import { ConfigError } from "../config/problem";
import type { Settings } from "../config/settings";
import { ownConfig } from "../config/stackFile";

/**
 * The settings of the running stack; its warnings go to the log.
 * @throws pulumi.RunError with the whole report, which Pulumi prints without a stack trace
 */
export function stackSettings(): Settings {
  const config = ownConfig(pulumi.getProject(), pulumi.runtime.allConfig());
  try {
    const { settings, warnings } = loadSettings(config, `Pulumi.${pulumi.getStack()}.yaml`);
    for (const { path, message } of warnings) {
      void pulumi.log.warn(`${path}: ${message}`);
    }
    return settings;
  } catch (error) {
    throw error instanceof ConfigError ? new pulumi.RunError(error.message) : error;
  }
}
