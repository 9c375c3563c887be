import type { StackFacts } from "capz-windows-contract";
import { extensionPoint } from "../extensionPoint";
import type { ConfigError } from "../problem";

/** Which of a stack's files are the user's own. */
export interface OwnOfStack {
  /** The place of the state. */
  readonly backend: boolean;
  /** The kubeconfig of the management cluster, which only the user can have encrypted. */
  readonly managementKubeconfig: boolean;
}

/** Reads stack files. Tools get it from the program, so that they depend on no setting of it. */
export interface StackReader {
  /**
   * What tools know about a stack with a workload cluster.
   * @param configFile - as the user wrote it; default: the stack's file beside Pulumi.yaml
   * @throws ConfigError when the stack file is missing or wrong, or the stack makes only a management cluster
   */
  readonly factsOfStack: (projectDir: string, stack: string, configFile: string | undefined) => StackFacts;
  /** What of a stack is the user's own, and not the choice of whoever wrote its files. */
  readonly ownOfStack: (projectDir: string, stack: string, configFile: string | undefined) => OwnOfStack;
  /**
   * An error whose problems have the lines of their keys, where the file is there.
   * @param projectDir - the folder from which the error names its file
   */
  readonly withLines: (projectDir: string, error: ConfigError) => ConfigError;
}

export const stackReader = extensionPoint<StackReader>("commands/stack/register");
