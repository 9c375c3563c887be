import * as pulumi from "@pulumi/pulumi";
import type { Settings } from "../config/settings";
import { sharedManagement } from "capz-windows-platform/cluster/clients";
import { outputsOf } from "./recordedState";
import { messageOf } from "capz-windows-kit/messageOf";

/**
 * Asks for the management cluster of another stack before anything is registered, so that what is wrong with it is said
 * once. Each output of the other stack would say it again.
 * @throws RunError
 */
export async function requireManagement({ management }: Settings): Promise<void> {
  if (management.kind !== "stack") {
    return;
  }
  const { stack } = management;
  const read = sharedManagement(stack, await outputsOrRefusal(stack));
  if ("problem" in read) {
    throw new pulumi.RunError(read.problem);
  }
}

async function outputsOrRefusal(stack: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await outputsOf(stack);
  } catch (error) {
    const reason = messageOf(error);
    throw new pulumi.RunError(
      `management.stack: the stack ${stack} cannot be read (${reason}): name a stack that exists, as ORGANIZATION/PROJECT/STACK`,
    );
  }
}
