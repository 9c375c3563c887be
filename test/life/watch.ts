import { at, textAt } from "capz-windows-kit/untyped";
import { apiVersions } from "../../capi/apiVersions";
import type { Kind, Kube, LiveObject } from "./kube";
import type { Timeline } from "./timeline";

/** A kind of the management cluster, and the text of an object for the timeline. Empty for no entry yet. */
interface Watched extends Kind {
  readonly says: (object: LiveObject) => string;
}

const condition = (object: LiveObject, type: string): string => {
  const found = ((at(object.status, "conditions") ?? []) as Record<string, unknown>[]).find(
    (each) => each.type === type,
  );
  return textAt(found, "status") === "True" ? "" : shortened(textAt(found, "message"));
};

/** CAPZ quotes Azure's whole answer, of which the code and message are enough. */
function shortened(message: string): string {
  const [, code] = /ERROR CODE: (\S+)/.exec(message) ?? [];
  const [, words] = /"message": "([^"]+)"/.exec(message) ?? [];
  return words === undefined
    ? message.replaceAll("\n", " ").slice(0, 160)
    : `${message.slice(0, 40)} … ${code ?? ""}: ${words}`;
}

const counts = ({ spec, status }: LiveObject, ...names: readonly string[]): string =>
  [
    `${String((spec?.replicas as number | undefined) ?? "?")} wanted`,
    ...names.map(
      (name) => `${String((status?.[name] as number | undefined) ?? 0)} ${name.replace(/Replicas$/, "")}`,
    ),
  ].join(", ");

const phase = (object: LiveObject): string =>
  object.metadata.deletionTimestamp === undefined ? textAt(object.status, "phase") : "Deleting";

const watched: readonly Watched[] = [
  {
    apiVersion: apiVersions.cluster,
    kind: "Cluster",
    says: (object) =>
      [
        phase(object),
        at(object.status, "initialization", "infrastructureProvisioned") === true
          ? "network provisioned"
          : "",
        at(object.status, "initialization", "controlPlaneInitialized") === true ? "API server answers" : "",
      ]
        .filter((part) => part !== "")
        .join(", "),
  },
  {
    apiVersion: apiVersions.cluster,
    kind: "Machine",
    says: (object) =>
      [phase(object), condition(object, "HealthCheckSucceeded"), condition(object, "OwnerRemediated")]
        .filter((part) => part !== "")
        .join("; "),
  },
  {
    apiVersion: apiVersions.cluster,
    kind: "MachinePool",
    says: (object) => `${phase(object)}: ${counts(object, "replicas", "readyReplicas", "upToDateReplicas")}`,
  },
  {
    apiVersion: apiVersions.cluster,
    kind: "MachineDeployment",
    says: (object) =>
      `${phase(object)}: ${counts(object, "replicas", "availableReplicas", "upToDateReplicas")}`,
  },
  {
    apiVersion: apiVersions.controlPlane,
    kind: "KubeadmControlPlane",
    says: (object) => counts(object, "replicas", "availableReplicas", "upToDateReplicas"),
  },
  {
    apiVersion: apiVersions.azure,
    kind: "AzureMachinePool",
    says: (object) => condition(object, "ScaleSetRunning") || condition(object, "BootstrapSucceeded"),
  },
];

/** Follows the objects of a namespace in the management cluster, and adds their changes to the timeline. */
export class ManagementWatch {
  private readonly last = new Map<string, string>();
  private readonly seen = new Map<Watched, number>();

  constructor(
    private readonly kube: Kube,
    private readonly namespace: string,
    private readonly timeline: Timeline,
  ) {}

  /** A condition with an error of Azure may be there for less than a second, so each version of an object is read. */
  async turn(): Promise<void> {
    await Promise.all(
      watched.map(async (kind) => {
        for (const { type, object } of await this.kube.changes(kind, this.seen.get(kind) ?? 0)) {
          // The objects that exist at first come in no order.
          const before = this.seen.get(kind) ?? 0;
          this.seen.set(
            kind,
            type === "ERROR" ? 0 : Math.max(before, Number(object.metadata.resourceVersion)),
          );
          if (type !== "ERROR" && object.metadata.namespace === this.namespace) {
            this.note(
              `${kind.kind} ${object.metadata.name}`,
              type === "DELETED" ? "gone" : kind.says(object),
            );
          }
        }
      }),
    );
  }

  private note(title: string, says: string): void {
    if (says !== "" && this.last.get(title) !== says) {
      this.timeline.add("capi", title, says);
      this.last.set(title, says);
    }
  }
}
