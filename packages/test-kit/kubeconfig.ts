import { stringify } from "yaml";

/** A kubeconfig of one cluster, whose certificate is not checked. */
export const kubeconfigOf = (server: string, user: unknown = { token: "not-a-secret" }): string =>
  stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });
