import { z } from "zod";

const text = z.string();
const texts = z.array(text).readonly();

/** The version of outputs that name none. It rises when an output goes or means something else. */
export const outputsVersion = 1;

const version = z.literal(outputsVersion).exactOptional();

/** How people reach machines by their private addresses, where they do not come through the control plane. */
export const wayIn = z.discriminatedUnion("kind", [
  /** A machine of the user's in the VNET or in a network that is peered with it. */
  z.object({ kind: z.literal("jump"), login: text, port: text }).readonly(),
  /** Azure Bastion, by its name. */
  z
    .object({
      kind: z.literal("bastion"),
      name: text,
      resourceGroup: text,
      subscriptionId: text.exactOptional(),
      /** Whether it connects to addresses (enableIpConnect). Default: only to machines by their ARM IDs. */
      byAddress: z.literal(true).exactOptional(),
    })
    .readonly(),
]);

/** The outputs of a stack that tools read; there are others, for people. */
export const outputsSchema = z.object({
  outputsVersion: version,
  /** A secret. */
  managementKubeconfig: text.exactOptional(),
  /** Bytes; `podMtu` those inside the overlay network of the pods. */
  mtu: z.number().exactOptional(),
  podMtu: z.number().exactOptional(),
  wayIn: wayIn.exactOptional(),
  /** What others must make in their VNETs, one a line. */
  networkRequirements: text.exactOptional(),
  managementNetworkRequirements: text.exactOptional(),
  /** One a line; older programs have a list. */
  nextSteps: z.union([text, texts]).exactOptional(),
});

/** Those of a stack that makes only a management cluster, by which other stacks use it. */
const managementOutputs = z
  .object({
    outputsVersion: version,
    /** Without one, a provider would take the default of kubectl. */
    managementKubeconfig: text.min(1),
    managementClusterId: text.min(1),
    /** From where its controllers reach the Internet. */
    egressCidrs: texts,
    oidcIssuerUrl: text.exactOptional(),
    /** The VNET of its nodes, where it can be peered, and what is known of its ranges. */
    managementVnetId: text.exactOptional(),
    managementVnetCidrs: texts.exactOptional(),
    /** Of its CAPZ and of its bootstrap provider. */
    syncPeriodMinutes: z.number().exactOptional(),
    bootstrapTtlMinutes: z.number().exactOptional(),
    /** Namespace with a ConfigMap of each stack that uses it. */
    clientsNamespace: text,
  })
  .readonly();

export type StackOutputs = Readonly<z.infer<typeof outputsSchema>>;
export type ManagementOutputs = z.infer<typeof managementOutputs>;
export type WayIn = z.infer<typeof wayIn>;

/** Enough to see what is wrong. */
const mostProblems = 20;

/** All that a schema finds wrong, without the values. */
export function problemsIn({ issues }: z.ZodError): string {
  const more = issues.length > mostProblems ? [`and ${issues.length - mostProblems} more`] : [];
  const shown = issues
    .slice(0, mostProblems)
    .map(({ path, message }) => `${path.join(".").slice(0, 200)}: ${message}`);
  return [...shown, ...more].join("; ");
}

/** The outputs of a stack with a management cluster for other stacks, or all that is wrong with them. */
export function parseManagementOutputs(
  outputs: unknown,
): { readonly outputs: ManagementOutputs } | { readonly problem: string } {
  const { data, error } = managementOutputs.safeParse(outputs);
  return data === undefined ? { problem: problemsIn(error) } : { outputs: data };
}
