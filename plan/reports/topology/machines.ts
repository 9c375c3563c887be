import type { KubernetesObject } from "../../../components/capi/types";
import { redact } from "../../engine";
import type { Plan } from "../../plan";
import { at, objectsOf, strings, text } from "./fields";
import type { Machines, Pool } from "./types";

/** "capi-win-2022-containerd 1.35.6": where an image comes from is left to the table. */
function shortImage(image: unknown): string {
  const gallery = at(image, "computeGallery");
  const marketplace = at(image, "marketplace");
  if (gallery !== undefined) {
    return `${text(gallery, "name")} ${text(gallery, "version")}`;
  }
  return marketplace === undefined
    ? (text(image, "id").split("/").at(-1) ?? "")
    : `${text(marketplace, "sku")} ${text(marketplace, "version")}`;
}

const range = (object: KubernetesObject): string => {
  const limit = (end: "min" | "max") =>
    object.metadata.annotations?.[`cluster.x-k8s.io/cluster-api-autoscaler-node-group-${end}-size`];
  const [min, max] = [limit("min"), limit("max")];
  return min === undefined || max === undefined ? text(object.spec, "replicas", "1") : `${min}–${max}`;
};

export function pool(plan: Plan, object: KubernetesObject): Pool {
  const name = object.metadata.name;
  const machine = at(object.spec, "template.spec");
  const infrastructure = objectsOf(plan, text(machine, "infrastructureRef.kind")).find(
    ({ metadata }) => metadata.name === text(machine, "infrastructureRef.name"),
  );
  // A scale set's machines are described in place, single machines by a template.
  const template = at(infrastructure?.spec, "template.spec") ?? at(infrastructure?.spec, "template");
  const outputs = at(redact(plan.update.outputs), `pools.${name}`);
  const os = text(template, "osDisk.osType") === "Windows" ? "Windows" : "Linux";
  const release = infrastructure?.metadata.annotations?.windowsServerVersion?.replace(/^windows-/, "");
  const rollout = at(infrastructure?.spec, "strategy.rollingUpdate");
  const rdpTunnel = text(outputs, "rdpTunnel");
  return {
    name,
    os,
    system: os === "Linux" ? "Linux" : `Windows Server${release === undefined ? "" : ` ${release}`}`,
    count: range(object),
    vmSize: text(template, "vmSize"),
    version: text(machine, "version"),
    image: shortImage(at(template, "image")),
    zones: strings(object.spec, "failureDomains"),
    scaleSet: text(outputs, "scaleSet", name),
    firstNodes: strings(outputs, "firstNodes"),
    fullImage: text(outputs, "image"),
    ssh: text(outputs, "ssh"),
    rdpTunnel: rdpTunnel === "" ? undefined : rdpTunnel,
    rollout:
      rollout === undefined
        ? ""
        : `surge ${text(rollout, "maxSurge")}, unavailable ${text(rollout, "maxUnavailable")}`,
  };
}

export function controlPlane(plan: Plan): Machines | undefined {
  const [object] = objectsOf(plan, "KubeadmControlPlane");
  if (object === undefined) {
    return undefined;
  }
  const reference =
    text(object.spec, "machineTemplate.spec.infrastructureRef.name") ||
    text(object.spec, "machineTemplate.infrastructureRef.name");
  const found = objectsOf(plan, "AzureMachineTemplate").find(({ metadata }) => metadata.name === reference);
  const template = at(found?.spec, "template.spec");
  return {
    name: object.metadata.name,
    count: range(object),
    vmSize: text(template, "vmSize"),
    version: text(object.spec, "version"),
    image: shortImage(at(template, "image")),
    zones: [],
  };
}
