import * as pulumi from "@pulumi/pulumi";
import type { ChartArchivesArgs } from "../components/clusterApi/providers";
import { manifestCacheVariable, offlineOrganization } from "capz-windows-kit/offline";

/** Where the program gets files. */
export interface Downloads {
  /** Run by the offline plan, which downloads nothing. */
  readonly offline: boolean;
  /** Folder with verified manifests. */
  readonly manifestCache: string | undefined;
}

/** How the program is run, and where it finds files that it would otherwise download. */
export interface Run extends Downloads {
  /** Name of the stack. */
  readonly stack: string;
  /** Folder of Pulumi.yaml, to which the paths in the stack file are relative. */
  readonly rootDir: string;
  /** Archives of charts that were verified. */
  readonly chartArchives: ChartArchivesArgs;
}

export function currentRun(): Omit<Run, "chartArchives"> {
  const offline = pulumi.getOrganization() === offlineOrganization;
  return {
    stack: pulumi.getStack(),
    offline,
    rootDir: pulumi.runtime.getRootDirectory(),
    // A deployment runs the program twice, for its preview and for itself: one download is enough.
    manifestCache: process.env[manifestCacheVariable] ?? (offline ? undefined : ".cache/manifests"),
  };
}
