/** Toleration lists anywhere in an object, such as those of a pod template or of Calico's Installation. */
const tolerationsIn = (value: unknown, key = ""): Readonly<Record<string, unknown>>[] =>
  /tolerations$/i.test(key) && Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>[])
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, part]) => tolerationsIn(part, name))
      : [];

/**
 * The tolerations by which pods that are evicted from a cordoned node come back to it, so that its drain never ends:
 * those that match the taint node.kubernetes.io/unschedulable:NoSchedule. Only the pods of DaemonSets may have them,
 * because a drain leaves these alone.
 */
export const toleratesCordon = (object: { readonly kind: string }): Readonly<Record<string, unknown>>[] =>
  object.kind === "DaemonSet"
    ? []
    : tolerationsIn(object).filter(
        ({ key = "", effect = "" }) =>
          ["", "node.kubernetes.io/unschedulable"].includes(key as string) &&
          ["", "NoSchedule"].includes(effect as string),
      );
