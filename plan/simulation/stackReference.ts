import { type Simulation, type Values, Secret, address, guid, isSecret } from "pulumi-plan-engine";
import { kubeconfig } from "./values";

/** Another stack, as a program sees it through a StackReference. */

/** What the backend of Pulumi answers about one stack. It knows no other one. */
export const stackReference = (name: string, outputs: Values): Simulation => ({
  reads: {
    "pulumi:pulumi:StackReference": (id) =>
      id === name
        ? { name, outputs, secretOutputNames: Object.keys(outputs).filter((key) => isSecret(outputs[key])) }
        : undefined,
  },
});

/** Outputs of a management cluster of which nothing is known but the name of its stack. */
export const simulatedManagement = (stack: string) => ({
  managementKubeconfig: new Secret(kubeconfig(`${stack.replaceAll("/", "-")}-simulated`)),
  managementClusterId: `${stack} (simulated)`,
  egressCidrs: [`${address(stack)}/32`],
  managementVnetId: `/subscriptions/${guid(`${stack} subscription`)}/resourceGroups/simulated/providers/Microsoft.Network/virtualNetworks/simulated`,
  oidcIssuerUrl: `https://simulated.oic.prod-aks.azure.com/${guid("tenant")}/${guid(stack)}/`,
});
