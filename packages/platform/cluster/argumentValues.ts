import ipaddr from "ipaddr.js";
import { goNumberOf, goValueFault, sliceOf } from "./goValues";
import { isGateOn, type Program } from "./programSettings";

/** Values of arguments that have a form of their own, and what is not known of them. */

export interface Argument {
  readonly name: string;
  readonly value: string;
}

export interface ArgumentFault {
  readonly problem: string;
  readonly allowed: string;
}

export const isFalse = (value = ""): boolean => /^(0|f|false)$/i.test(value);

export const listed = (value: string): string[] => value.split(",").filter((one) => one !== "");

export const wrong = (allowed: string, problem: string): ArgumentFault => ({ problem, allowed });

export type ArgumentCheck = (value: string, minor: number) => ArgumentFault | undefined;

/** Feature gates in a flag: `Name=true`, or `kube:Name=true`. */
export function gatesIn(value: string): Record<string, boolean> {
  return Object.fromEntries(
    listed(value).map((pair) => {
      const [name = "", isOn = ""] = pair.split("=");
      return [name.replace(/^kube:/, ""), /^(1|t|true)$/i.test(isOn)];
    }),
  );
}

/** Source: k8s.io/apiserver v0.36.3 pkg/server/options/authentication.go, checkForWhiteSpaceOnly. */
export const headersFault: ArgumentCheck = (value) =>
  sliceOf(value).every((one) => one.trim() !== "") ? undefined : wrong("names", "an entry is empty");

/** Source: k8s.io/component-base v0.36.3 cli/flag/curves_flag.go. */
export const curvesFault: ArgumentCheck = (value) => {
  const given = value.split(",").map(goNumberOf);
  return new Set(given).size === given.length && given.every((curve) => curve > 0 && curve < 65_536)
    ? undefined
    : wrong(
        "identifiers of curves from 1 to 65535, each once",
        "a curve has no such identifier, or is repeated",
      );
};

/** Source: k8s.io/apiserver v0.36.3 pkg/server/options/etcd.go, ParseEtcdServersOverrides; before 1.34 it looked at no server. */
export const serversFault: ArgumentCheck = (value, minor) =>
  sliceOf(value).every((one) =>
    minor < 34 ? /^[^#/]*\/[^#/]*#[^#]*$/.test(one) : /^[^#/]*\/[^#/]*#[^#;]+(?:;[^#;]+)*$/.test(one),
  )
    ? undefined
    : wrong("GROUP/RESOURCE#URL, such as /events#https://127.0.0.1:4002", "an entry has another form");

/** Source: Kubernetes v1.36.3 cmd/kube-apiserver/app/options/validation.go; the machines have IPv4 addresses. */
export const serviceRangesFault: ArgumentCheck = (value, minor) => {
  const [first = "", ...others] = value.split(",");
  if (
    !ipaddr.IPv4.isValidCIDR(first) ||
    others.length > 1 ||
    !others.every((one) => ipaddr.IPv6.isValidCIDR(one))
  ) {
    return wrong(
      "an IPv4 range such as 10.96.0.0/16, and behind it at most one of IPv6",
      "it is no such range",
    );
  }
  return Number(first.split("/")[1]) < 12 && !isGateOn("DisableAllocatorDualWrite", minor)
    ? wrong("a range of /12 or smaller", "the range is too large")
    : undefined;
};

/** Entries of runtime-config; the last of a key counts. */
export const apisIn = (value: string): ReadonlyMap<string, string> =>
  new Map(
    listed(value).map((entry) => {
      const [, api = "", set = ""] = /^([^=]*)=?(.*)$/s.exec(entry) ?? [];
      return [api.trim(), set.trim()];
    }),
  );

const groupsOfApis = /^api\/(?:all|ga|beta|alpha)$/;

/**
 * Versions of APIs without which no kubelet, controller, scheduler, kube-proxy or admission of the API server works. Source:
 * kubernetes v1.36.3 pkg/kubelet, pkg/scheduler/eventhandlers.go, cmd/kube-proxy; k8s.io/apiserver v0.36.3 pkg/admission.
 */
const neededApis = [
  ...["/v1", "apps/v1", "policy/v1", "discovery.k8s.io/v1", "coordination.k8s.io/v1", "networking.k8s.io/v1"],
  ...["authentication.k8s.io/v1", "authorization.k8s.io/v1", "certificates.k8s.io/v1", "node.k8s.io/v1"],
  ...["rbac.authorization.k8s.io/v1", "scheduling.k8s.io/v1", "storage.k8s.io/v1"],
  "admissionregistration.k8s.io/v1",
];

/** The needed versions that a value switches off: by itself, or with all of its kind, api/ga after api/all. */
export function missingApis(value: string): string[] {
  const set = apisIn(value);
  const groups = set.get("api/ga") ?? set.get("api/all");
  return neededApis
    .filter((api) => (set.has(api) ? isFalse(set.get(api)) : groups === "false"))
    .map((api) => api.replace(/^\//, ""));
}

/** Source: k8s.io/apiserver v0.36.3 pkg/server/resourceconfig/helpers.go. */
export const apis: ArgumentCheck = (value) => {
  const bad = [...apisIn(value)].find(([api, set]) =>
    groupsOfApis.test(api)
      ? !/^(?:true|false)$/.test(set)
      : !/^[^/]*\/[^/]*(?:\/[^/A-Z]*)?$/.test(api) || (set !== "" && goValueFault("bool", set) !== undefined),
  );
  return bad === undefined
    ? undefined
    : wrong(
        "api/all, api/ga, api/beta, api/alpha, GROUP/VERSION and GROUP/VERSION/RESOURCE, each =true or =false",
        `${bad.join("=")} is no API with true or false`,
      );
};

/** Source: k8s.io/apiserver v0.36.3 pkg/server/options/etcd.go, ParseWatchCacheSizes. */
export const cacheFault = (value: string): ArgumentFault | undefined =>
  listed(value.replaceAll('"', "")).every((one) => /^[^#]*#(?:\+?\d+|-0+)$/.test(one))
    ? undefined
    : wrong("RESOURCE#SIZE, separated by commas", "a size is no number of 0 or more behind a #");

/** Those of Go 1.24 and later; a newer one may have more. Source: Go's crypto/tls, CurveID. */
const curves = ["23", "24", "25", "29", "4588"];

/** What nothing looked at in an argument that a program may refuse all the same. */
export function uncheckedIn(program: Program, argument: Argument): string | undefined {
  const { value } = argument;
  const name = argument.name.replaceAll("_", "-");
  if (program === "etcd" && name === "feature-gates") {
    return "whether etcd has these feature gates";
  }
  if (name === "tls-curve-preferences" && sliceOf(value).some((curve) => !curves.includes(curve))) {
    return `whether ${program} has these curves`;
  }
  const open =
    program === "kube-apiserver" && name === "runtime-config"
      ? [...apisIn(value).keys()].filter((api) => !groupsOfApis.test(api))
      : [];
  return open.length === 0 ? undefined : `whether kube-apiserver has ${open.join(", ")}`;
}
