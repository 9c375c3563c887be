import type { KubernetesObject } from "../../domain/capi/types";
import type { ApiServer } from "./client";

export const namespace = (name: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name },
});

/** An object without what every write touches, and without its status: controllers write that, of an APIService at once. */
const content = (object: KubernetesObject): string =>
  JSON.stringify({ ...object, status: undefined }, (key, value: unknown) =>
    key === "managedFields" || key === "resourceVersion" ? undefined : value,
  );

/**
 * Hands objects to a real API server: a dry run with strict validation, then for real, then again, which must change
 * nothing. Namespaces get a prefix of the run, so that several can use one server.
 */
export class Applier {
  private readonly made: KubernetesObject[] = [];

  constructor(
    private readonly server: ApiServer,
    private readonly prefix: string,
  ) {}

  /** The object as it is, but in namespaces of this run. */
  moved(object: KubernetesObject): KubernetesObject {
    const { metadata, kind } = object;
    const own = {
      ...object,
      // One server is for all runs: the policies of one would judge the objects of the others.
      ...(kind === "ValidatingAdmissionPolicyBinding"
        ? { spec: { ...(object.spec as object), validationActions: ["Audit"] } }
        : {}),
      // A plan shows no part of a Secret.
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

  /**
   * The objects in namespaces of this run, after those namespaces that none of them makes: a stack may use one that is
   * there.
   */
  placed(objects: readonly KubernetesObject[]): KubernetesObject[] {
    const made = objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name);
    const used = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
    const missing = [...used].filter((name) => !made.includes(name)).map(namespace);
    return [...missing, ...objects].map((own) => this.moved(own));
  }

  /** @returns what the server refused, in its words; empty when it took everything */
  async refused(objects: readonly KubernetesObject[]): Promise<string[]> {
    const refused: string[] = [];
    for (const object of this.placed(objects)) {
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
      }
    }
    return refused;
  }

  async removeAll(): Promise<void> {
    for (const object of this.made.splice(0).reverse()) {
      await this.server.remove(object);
    }
  }
}
