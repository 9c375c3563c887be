import { parse, parseAllDocuments } from "yaml";
import type { KubeadmConfigSpec } from "capz-types";
import { controlPlaneKubeadmConfigSpec } from "../../../bootstrap/controlPlane";
import { linuxWorkerKubeadmConfigSpec } from "../../../bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../../bootstrap/windows";
import { renderUserData } from "../../../bootstrap/userData/renderUserData";
import type { UserDataArgs } from "../../../bootstrap/userData/renderUserData";
import { publicKey } from "../../support/stacks";
import { today } from "../../support/platforms";

export const windows = windowsKubeadmConfigSpec({
  ...today,
  azureJsonSecret: "win1-azure-json",
  sshPublicKey: publicKey,
});
export const linux = linuxWorkerKubeadmConfigSpec({ ...today, azureJsonSecret: "linux1-azure-json" });
export const controlPlane = controlPlaneKubeadmConfigSpec({
  ...today,
  clusterName: "demo",
  azureJsonSecret: "demo-cp-azure-json",
});

/** User data of a cluster called demo, as the plan writes it to `nodes/`. */
export const render = (spec: KubeadmConfigSpec, change: Partial<UserDataArgs> = {}): string =>
  renderUserData({
    spec,
    os: "linux",
    role: "worker",
    kubernetesVersion: "v1.35.6",
    clusterName: "demo",
    controlPlaneEndpoint: "demo-1a.westeurope.cloudapp.azure.com:6443",
    podCidr: "192.168.0.0/16",
    serviceCidr: "10.96.0.0/12",
    ...change,
  });

interface CloudConfig {
  write_files: { path: string; encoding?: string; owner?: string; permissions?: string; content: string }[];
  runcmd: string[];
  [key: string]: unknown;
}

/** Parses user data as the node does: first Jinja, then YAML 1.1. */
export const read = (text: string): CloudConfig =>
  parse(text.replaceAll('{{ ds.meta_data["local_hostname"] }}', "win1000000"), {
    version: "1.1",
  }) as CloudConfig;

export const paths = (text: string): string[] => read(text).write_files.map(({ path }) => path);

export const kubeadmConfigs = (text: string): Record<string, Record<string, unknown>> => {
  const file = read(text).write_files.find(({ path }) => path.startsWith("/run/kubeadm/"));
  const documents = parseAllDocuments(file?.content ?? "").map(
    (one) => one.toJS() as Record<string, unknown>,
  );
  return Object.fromEntries(documents.map((one) => [String(one.kind), one]));
};
