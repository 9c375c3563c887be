import type { KubeadmConfigSpec, KubernetesObject } from "../../components/capi/types";
import { apiServerPort } from "../../components/workloadCluster/naming";
import type { Settings } from "../../config/settings";
import type { Recording } from "../engine";
import { redact } from "../engine";
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
  const find = ({ kind, name }: Reference): KubernetesObject => {
    const found = all.find((object) => object.kind === kind && object.metadata.name === name);
    if (!found) {
      throw new Error(`there is no ${kind} ${name}`);
    }
    return found;
  };
  const common = {
    clusterName: settings.clusterName,
    controlPlaneEndpoint: `${apiServerHost(update)}:${apiServerPort}`,
    podCidr: settings.network.podCidr,
    serviceCidr: settings.network.serviceCidr,
  };
  const pools = all
    .filter(({ kind }) => kind === "MachinePool" || kind === "MachineDeployment")
    .map((pool): NodeData => {
      const { spec } = (pool.spec as PoolSpec).template;
      const { osType } = machineOf(find(spec.infrastructureRef)).osDisk;
      const os = osType === "Windows" ? "windows" : "linux";
      const text = renderUserData({
        ...common,
        spec: bootstrapOf(find(spec.bootstrap.configRef)),
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

interface Reference {
  readonly kind: string;
  readonly name: string;
}

interface Template<T> {
  readonly template: T;
}

interface MachineSpec {
  readonly osDisk: { readonly osType: string };
}

/** A KubeadmConfig, or the template of them. */
const bootstrapOf = ({ kind, spec }: KubernetesObject): KubeadmConfigSpec =>
  kind === "KubeadmConfigTemplate"
    ? (spec as Template<{ readonly spec: KubeadmConfigSpec }>).template.spec
    : (spec as KubeadmConfigSpec);

const machineOf = ({ kind, spec }: KubernetesObject): MachineSpec =>
  kind === "AzureMachineTemplate"
    ? (spec as Template<{ readonly spec: MachineSpec }>).template.spec
    : (spec as Template<MachineSpec>).template;

/** Of a MachinePool or a MachineDeployment. */
interface PoolSpec {
  readonly template: {
    readonly spec: {
      readonly version: string;
      readonly bootstrap: { readonly configRef: Reference };
      readonly infrastructureRef: Reference;
    };
  };
}

interface ControlPlaneSpec {
  readonly replicas: number;
  readonly version: string;
  readonly kubeadmConfigSpec: KubeadmConfigSpec;
}
