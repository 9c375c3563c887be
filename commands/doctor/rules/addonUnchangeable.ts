import type { Detectors, Match } from "./rule";
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

export const addonUnchangeable = (find: (world: World) => readonly Match[]): Detectors => ({
  "add-on-unchangeable": (world) => find(world).map(withObject),
});
