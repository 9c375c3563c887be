import { parse, stringify } from "yaml";
import { isRecord, list } from "capz-windows-kit/untyped";

/** Application of AKS in Microsoft Entra, the same in every tenant (Azure/kubelogin, docs/book, concepts/aks). */
const aksServerId = "6dae42f8-4368-4678-94ff-3960e28e3630";

/** Credentials of the user who runs the program: of `az login`, or as the variable AAD_LOGIN_METHOD of kubelogin says. */
const kubelogin = {
  exec: {
    apiVersion: "client.authentication.k8s.io/v1beta1",
    command: "kubelogin",
    args: ["get-token", "--login", "azurecli", "--server-id", aksServerId],
  },
};

/**
 * Turns AKS's kubeconfig for Microsoft Entra into one that works without a person at a screen: the original asks for a
 * device code.
 */
export function kubeloginKubeconfig(kubeconfig: string): string {
  const content: unknown = parse(kubeconfig);
  return stringify({
    ...(isRecord(content) ? content : {}),
    users: list(isRecord(content) ? content.users : undefined).map(({ name }) => ({ name, user: kubelogin })),
  });
}
