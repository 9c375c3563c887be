import type { KubernetesObject } from "capz-types";
import type { ApiServer } from "./client";

export const namespace = (name: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name },
});

/**
 * An object without the metadata that every write changes and without its status, which controllers write (that of an
 * APIService at once).
 */
const content = (object: KubernetesObject): string =>
  JSON.stringify({ ...object, status: undefined }, (key, value: unknown) =>
    key === "managedFields" || key === "resourceVersion" ? undefined : value,
  );

/**
 * Applies objects to a real API server: as a dry run with strict validation, then for real, and once more, which must
 * change nothing. Namespaces get a prefix of the run, so that several runs can use one server. Plans have most objects in
 * common: the same object is applied once.
 */
export class Applier {
  private readonly made: KubernetesObject[] = [];

  constructor(
    private readonly server: ApiServer,
    private readonly prefix: string,
    /** What the server took last of each object, without the prefix. */
    private readonly taken = new Map<string, string>(),
  ) {}

  /** The object, moved to namespaces of this run. */
  moved(object: KubernetesObject): KubernetesObject {
    const { metadata, kind } = object;
    const own = {
      ...object,
      // Several runs share the server, and the policies of one run must not refuse the objects of others.
      ...(kind === "ValidatingAdmissionPolicyBinding"
        ? { spec: { ...(object.spec as object), validationActions: ["Audit"] } }
        : {}),
      // A plan does not contain the data of a Secret.
      ...(kind === "Secret" && typeof object.stringData === "string" ? { stringData: {} } : {}),
      metadata: {
        ...metadata,
        ...(kind === "Namespace" ? { name: this.prefix + metadata.name } : {}),
        ...(metadata.namespace === undefined ? {} : { namespace: this.prefix + metadata.namespace }),
      },
    };
    return kind !== "AzureCluster"
      ? own
      : (JSON.parse(
          JSON.stringify(own, (key, value: unknown) =>
            key === "identityRef" ? { ...(value as object), namespace: own.metadata.namespace } : value,
          ),
        ) as KubernetesObject);
  }

  /** The objects, moved to namespaces of this run, after the namespaces that they use and do not create themselves. */
  placed(objects: readonly KubernetesObject[]): KubernetesObject[] {
    const made = objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name);
    const used = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
    const missing = [...used].filter((name) => !made.includes(name)).map(namespace);
    return [...missing, ...objects].map((own) => this.moved(own));
  }

  /** @returns the server's messages about objects that it refused; empty if it accepted all of them */
  async refused(objects: readonly KubernetesObject[]): Promise<string[]> {
    const refused: string[] = [];
    for (const object of this.placed(objects)) {
      const { namespace: its = "", name } = object.metadata;
      const key = [object.apiVersion, object.kind, its.replace(this.prefix, ""), name].join(" ");
      const text = JSON.stringify(object).replaceAll(this.prefix, "");
      if (object.kind !== "Namespace" && this.taken.get(key) === text) {
        continue;
      }
      const title = `${object.kind} ${object.metadata.name}`;
      if (!(await this.server.serves(object))) {
        refused.push(`${title}: the API server has no ${object.apiVersion}`);
        continue;
      }
      const dry = await this.server.apply(object, { dryRun: true });
      const real = dry.status < 300 ? await this.server.apply(object, { dryRun: false }) : dry;
      this.made.push(object);
      if (real.status >= 300) {
        refused.push(`${title}: ${real.body.message ?? real.status}`);
        continue;
      }
      const again = await this.server.apply(object, { dryRun: false });
      if (content(real.body) !== content(again.body)) {
        refused.push(`${title}: applied again it changed`);
        continue;
      }
      this.taken.set(key, text);
    }
    return refused;
  }

  /** Without the CRDs, which other runs use, too. */
  async removeAll(): Promise<void> {
    const own = this.made.splice(0).filter(({ kind }) => kind !== "CustomResourceDefinition");
    for (const object of own.reverse()) {
      await this.server.remove(object);
    }
  }
}
