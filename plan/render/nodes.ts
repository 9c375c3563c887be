import type { KubeadmConfigSpec, KubernetesObject } from "../../components/capi/types";
import { apiServerPort } from "../../components/workloadCluster/naming";
import type { Settings } from "../../config/settings";
import type { Recording } from "../engine/recording";
import { redact } from "../engine/values";
import type { StackObjects } from "../stackObjects";
import { renderUserData } from "../../components/userData/renderUserData";

/** User data of one kind of node, under `nodes/`. */
export interface NodeData {
  readonly path: string;
  readonly os: "linux" | "windows";
  readonly text: string;
}

export interface NodeSources {
  readonly objects: Pick<StackObjects, "management">;
  readonly settings: Settings;
  readonly update: Recording;
}

const apiServerHost = ({ outputs }: Recording): string => redact(outputs.apiServerHost ?? "") as string;

/** The user data of every pool and of the control plane, made from the objects that the program registered. */
export function nodeData({ objects, settings, update }: NodeSources): NodeData[] {
  const all = objects.management.map(({ object }) => object);
  const find = (kind: string, name: string): KubernetesObject | undefined =>
    all.find((object) => object.kind === kind && object.metadata.name === name);
  const common = {
    clusterName: settings.clusterName,
    controlPlaneEndpoint: `${apiServerHost(update)}:${apiServerPort}`,
    podCidr: settings.network.podCidr,
    serviceCidr: settings.network.serviceCidr,
  };
  const pools = all
    .filter(({ kind }) => kind === "MachinePool")
    .map((pool): NodeData => {
      const { spec } = (pool.spec as MachinePoolSpec).template;
      const config = find("KubeadmConfig", spec.bootstrap.configRef.name);
      const infrastructure = find("AzureMachinePool", spec.infrastructureRef.name)
        ?.spec as AzureMachinePoolSpec;
      const os = infrastructure.template.osDisk.osType === "Windows" ? "windows" : "linux";
      const text = renderUserData({
        ...common,
        spec: config?.spec as KubeadmConfigSpec,
        os,
        role: "worker",
        kubernetesVersion: spec.version,
      });
      return { path: `${pool.metadata.name}/user-data.txt`, os, text };
    });
  const controlPlane = all
    .filter(({ kind }) => kind === "KubeadmControlPlane")
    .flatMap((object): NodeData[] => {
      const { kubeadmConfigSpec, replicas, version } = object.spec as ControlPlaneSpec;
      const data = (role: "init" | "join-control-plane", file: string): NodeData => ({
        path: `control-plane/${file}`,
        os: "linux",
        text: renderUserData({
          ...common,
          spec: kubeadmConfigSpec,
          os: "linux",
          role,
          kubernetesVersion: version,
        }),
      });
      const first = data("init", "user-data.txt");
      return replicas > 1 ? [first, data("join-control-plane", "user-data-join.txt")] : [first];
    });
  return [...controlPlane, ...pools];
}

interface MachinePoolSpec {
  readonly template: {
    readonly spec: {
      readonly version: string;
      readonly bootstrap: { readonly configRef: { readonly name: string } };
      readonly infrastructureRef: { readonly name: string };
    };
  };
}

interface AzureMachinePoolSpec {
  readonly template: { readonly osDisk: { readonly osType: string } };
}

interface ControlPlaneSpec {
  readonly replicas: number;
  readonly version: string;
  readonly kubeadmConfigSpec: KubeadmConfigSpec;
}
