import type { KubeadmConfigSpec } from "capz-types";
import { renderUserData } from "../../bootstrap/userData/renderUserData";
import { at, textAt } from "capz-windows-kit/untyped";
import type { ClusterModel, ControlPlaneModel, PoolModel } from "./cluster/types";
import { indexByUrn } from "./order";
import type { PlanResource } from "capz-windows-contract";

/** User data of one kind of node, under `nodes/`. */
export interface NodeData {
  readonly path: string;
  readonly os: "linux" | "windows";
  readonly text: string;
}

/** The bootstrap data of a pool: the spec of its KubeadmConfig or KubeadmConfigTemplate. */
function bootstrapSpec({ inputs, type }: PlanResource): KubeadmConfigSpec {
  const spec = type.endsWith("Template") ? at(inputs, "spec", "template", "spec") : inputs.spec;
  return spec as KubeadmConfigSpec;
}

/**
 * The user data of every pool and of the control plane, as Cluster API's bootstrap provider would render it.
 * @param resources in which the cluster's objects are
 * @throws Error when an object that the cluster refers to is not among them
 */
export function nodeData(cluster: ClusterModel, resources: readonly PlanResource[]): NodeData[] {
  const { network, apiServer, controlPlane, pools } = cluster;
  const byUrn = indexByUrn(resources);
  const find = (urn = ""): PlanResource => {
    const found = byUrn.get(urn);
    if (!found) {
      throw new Error(`the plan has no resource ${urn}`);
    }
    return found;
  };
  const object = resources.find(({ type }) => type.endsWith(":Cluster"));
  const dnsDomain = textAt(object?.inputs, "spec", "clusterNetwork", "serviceDomain");
  const common = {
    clusterName: cluster.name,
    controlPlaneEndpoint: `${apiServer.host}:${apiServer.port}`,
    podCidr: network.podCidrs[0] ?? "",
    serviceCidr: network.serviceCidrs[0] ?? "",
    ...(dnsDomain === "" ? {} : { dnsDomain }),
  };
  const ofControlPlane = ({ replicas, version, members }: ControlPlaneModel): NodeData[] => {
    const spec = at(find(members.controlPlane).inputs, "spec", "kubeadmConfigSpec") as KubeadmConfigSpec;
    const data = (role: "init" | "join-control-plane", file: string): NodeData => ({
      path: `control-plane/${file}`,
      os: "linux",
      text: renderUserData({ ...common, spec, os: "linux", role, kubernetesVersion: version }),
    });
    const first = data("init", "user-data.txt");
    return replicas > 1 ? [first, data("join-control-plane", "user-data-join.txt")] : [first];
  };
  const ofPool = ({ name, os, version, members }: PoolModel): NodeData => ({
    path: `${name}/user-data.txt`,
    os,
    text: renderUserData({
      ...common,
      spec: bootstrapSpec(find(members.bootstrap)),
      os,
      role: "worker",
      kubernetesVersion: version,
    }),
  });
  return [...(controlPlane === undefined ? [] : ofControlPlane(controlPlane)), ...pools.map(ofPool)];
}
