import { workloadKubectl } from "./commands";
import { capiSource } from "./kinds";
import type { Match, Rule } from "./rule";
import type { World } from "../../cluster/snapshot";

/** A new version of an add-on that changes what Kubernetes keeps as it was made. */

/** The set names the object, and the API server its field; the message may be about several objects. */
export const unchangeable =
  /patching object \S*, Kind=(?<what>\w+) (?:(?<place>[^\s/]+)\/)?(?<object>[^\s/]+?): (?:(?!patching object)[^])*? is invalid: (?:(?!patching object)[^])*?(?<field>[\w.[\]]+): (?:Invalid value|Forbidden): (?:(?!patching object)[^])*?(?:immutable|may not be changed|may not change once set|cannot change roleRef|updates to [^]*? are forbidden)/;

/** The arguments of `kubectl delete` for the object. */
const withObject = (match: Match): Match => {
  const { what = "", object = "", place } = match.vars ?? {};
  const thing = `${what.toLowerCase()} ${object}${place === undefined ? "" : ` -n ${place}`}`;
  return { ...match, vars: { ...match.vars, thing } };
};

export const addonUnchangeable = (find: (world: World) => readonly Match[]): Rule => ({
  id: "add-on-unchangeable",
  stage: "add-ons",
  symptom: "ClusterResourceSet: ApplyFailed, field is immutable",
  cause:
    "The new version of an object of the set {name}, {what} {object}, changes its field {field}, which is immutable: Kubernetes keeps it as it was when the object was made. The object must be deleted, and the set makes it again with the new value.",
  remedy: [
    `${workloadKubectl} delete {thing}   # what it runs stops until the set has made it again`,
    'kubectl annotate clusterresourceset {name} -n {namespace} capz-windows/retry="$(date)" --overwrite   # makes it again at once',
  ],
  source: `${capiSource} core/reconcilers/clusterresourceset; https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#pod-selector`,
  find: (world) => find(world).map(withObject),
});
