import { parse, stringify } from "yaml";
import { entraTenant, type IssuerArgs } from "capz-windows-platform/login/issuers";
import { at, list } from "capz-windows-kit/untyped";

/** A program that kubectl runs to get a token. */
interface Exec {
  readonly command: string;
  readonly args: readonly string[];
  readonly installHint: string;
}

/** https://azure.github.io/kubelogin/concepts/login-modes/azurecli.html; --client-id is for another --login, such as devicecode. */
const kubelogin = (clientId: string, tenant: string): Exec => ({
  command: "kubelogin",
  args: [
    ...["get-token", "--environment", "AzurePublicCloud", "--server-id", clientId, "--client-id", clientId],
    ...["--tenant-id", tenant, "--login", "azurecli"],
  ],
  installHint: "Install kubelogin of Microsoft: https://azure.github.io/kubelogin/install.html",
});

/** https://github.com/int128/kubelogin/blob/master/docs/usage.md */
const oidcLogin = ({ issuerUrl, certificateAuthority }: IssuerArgs, clientId: string): Exec => ({
  command: "kubectl",
  args: [
    ...["oidc-login", "get-token", `--oidc-issuer-url=${issuerUrl}`, `--oidc-client-id=${clientId}`],
    ...(certificateAuthority === undefined
      ? []
      : [`--certificate-authority-data=${Buffer.from(certificateAuthority).toString("base64")}`]),
  ],
  installHint: "Install the plugin oidc-login: https://github.com/int128/kubelogin",
});

/**
 * A kubeconfig without secrets: the cluster of another one, and a login for each issuer. The first is the current one.
 * @param kubeconfig - of the administrator, of which only server and certificate authority are taken
 */
export function loginKubeconfig(kubeconfig: string, issuers: readonly IssuerArgs[]): string {
  const given: unknown = parse(kubeconfig);
  const [cluster] = list(at(given, "clusters"));
  const name = String(cluster?.name);
  const logins = issuers.map((issuer, index) => {
    const [clientId = ""] = issuer.audiences;
    const tenant = entraTenant(issuer);
    return {
      name: `${name}-${tenant === undefined ? new URL(issuer.issuerUrl).host : "entra"}${index === 0 ? "" : `-${index + 1}`}`,
      exec: tenant === undefined ? oidcLogin(issuer, clientId) : kubelogin(clientId, tenant),
    };
  });
  return stringify(
    {
      ...{ apiVersion: "v1", kind: "Config" },
      clusters: [
        {
          name,
          cluster: {
            server: at(cluster, "cluster", "server"),
            "certificate-authority-data": at(cluster, "cluster", "certificate-authority-data"),
          },
        },
      ],
      users: logins.map(({ name: user, exec }) => ({
        name: user,
        // Both programs speak v1beta1 in all their releases.
        user: {
          exec: {
            apiVersion: "client.authentication.k8s.io/v1beta1",
            ...exec,
            interactiveMode: "IfAvailable",
            provideClusterInfo: false,
          },
        },
      })),
      contexts: logins.map(({ name: user }) => ({ name: user, context: { cluster: name, user } })),
      "current-context": logins[0]?.name,
    },
    { lineWidth: 0 },
  );
}
