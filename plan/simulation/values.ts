/** Values that cannot be mistaken for real ones, and that are the same in every run. */

/** The value if it is a string, otherwise ""; a value that is not known yet gives "". */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A mapping from a revealed value. */
export const map = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};

export const base64 = (plain: string): string => Buffer.from(plain).toString("base64");

/** Like one that `az aks get-credentials` or Cluster API writes, but for a server that cannot exist (RFC 6761). */
export function kubeconfig(cluster: string): string {
  const pem = (what: string) => base64(`-----BEGIN ${what}-----\nsimulated\n-----END ${what}-----\n`);
  return `apiVersion: v1
kind: Config
clusters:
  - name: ${cluster}
    cluster:
      certificate-authority-data: ${pem("CERTIFICATE")}
      server: https://${cluster}.simulated.invalid:443
contexts:
  - name: ${cluster}
    context:
      cluster: ${cluster}
      user: ${cluster}-admin
current-context: ${cluster}
users:
  - name: ${cluster}-admin
    user:
      client-certificate-data: ${pem("CERTIFICATE")}
      client-key-data: ${pem("PRIVATE KEY")}
`;
}

/** The clock of the simulation stands still. */
export const now = "2000-01-01T00:00:00Z";
