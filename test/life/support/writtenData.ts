import { apiVersions } from "../../../capi/apiVersions";
import { textAt } from "capz-windows-kit/untyped";
import type { Kube, LiveObject } from "../kube";

/** The user data that the bootstrap provider writes, and that of a plan with the same values. */

export const secretKind = { apiVersion: "v1", kind: "Secret" };

/** A placeholder of the plan for a file whose text is in a Secret. */
export const fromSecret = /^( *)<from secret (\S+), key (\S+)>$/gm;

export type IsConfig = (config: LiveObject) => boolean;

const decoded = (secret: LiveObject | undefined, key: string): string =>
  Buffer.from(textAt(secret, "data", key), "base64").toString("utf8");

/** The user data of the first KubeadmConfig in a namespace that is the wanted one; `undefined` while it has none. */
export async function bootstrapData(
  kube: Kube,
  namespace: string,
  isIt: IsConfig,
): Promise<string | undefined> {
  const configs = await kube.list({ apiVersion: apiVersions.bootstrap, kind: "KubeadmConfig" });
  const own = configs.find((config) => config.metadata.namespace === namespace && isIt(config));
  const name = textAt(own, "status", "dataSecretName");
  const text = name === "" ? "" : decoded(await kube.get(secretKind, name, namespace), "value");
  return text === "" ? undefined : text;
}

/** The user data of a plan, with values from the management cluster and from the real text instead of placeholders. */
export async function completed(
  kube: Kube,
  planned: string,
  namespace: string,
  real: string,
): Promise<string> {
  const contents = new Map<string, string>();
  for (const [placeholder, indent = "", name = "", key = ""] of planned.matchAll(fromSecret)) {
    const content = decoded(await kube.get(secretKind, name, namespace), key);
    contents.set(placeholder, content.replace(/^/gm, indent));
  }
  const [, token = "no token"] = /^ +token: (\S+)$/m.exec(real) ?? [];
  const [, caHash = "no hash"] = /^ +- (sha256:[0-9a-f]{64})$/m.exec(real) ?? [];
  const [, sentinel = "no text"] = /^ {4}content: "(This placeholder file .*)"$/m.exec(real) ?? [];
  return planned
    .replace(fromSecret, (placeholder) => contents.get(placeholder) ?? "")
    .replace("<bootstrap token>", () => token)
    .replace("<sha256 of the cluster's CA>", () => caHash)
    .replace("<text of the bootstrap provider; the file only makes the folder>", () => sentinel);
}
