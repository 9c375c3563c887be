import { textAt } from "capz-windows-kit/untyped";
import type { Resource } from "../azure/resource";
import { imageText } from "../azure/scaleSets";
import type { BootPlan } from "./userData";

export interface MachineFacts {
  readonly id: string;
  readonly hostname: string;
  readonly os: "linux" | "windows";
  /** Version of kubelet in the image, with leading v. */
  readonly version: string;
  readonly vmSize: string;
  readonly zone?: string;
  readonly windowsBuild?: string;
}

/** One machine with its kubelet. */
export interface Machine {
  readonly facts: MachineFacts;
  readonly plan: BootPlan;
  node: "none" | "registered" | "ready" | "gone";
  /** When Ready last changed, in the format of Kubernetes. */
  since: string;
}

const windowsBuilds: readonly (readonly [RegExp, string])[] = [
  [/2019/, "10.0.17763"],
  [/2022/, "10.0.20348"],
  [/2025/, "10.0.26100"],
];

/**
 * Facts about a machine or an instance of a scale set. Its kubelet has the version of the image.
 * @param version - version of kubelet if that of the image is no Kubernetes version
 */
export function factsOf(resource: Resource, version: string): MachineFacts {
  const image = imageText(resource);
  const storage = resource.properties.storageProfile;
  const os = textAt(storage, "osDisk", "osType") === "Windows" ? "windows" : "linux";
  const ofImage = /\/(1\.\d+\.\d+)$/.exec(image)?.[1];
  const build = windowsBuilds.find(([name]) => name.test(image))?.[1];
  const zone = resource.zones?.[0];
  return {
    id: resource.id,
    hostname: textAt(resource.properties, "osProfile", "computerName").toLowerCase(),
    os,
    version: ofImage === undefined ? version : `v${ofImage}`,
    vmSize: textAt(resource.properties, "hardwareProfile", "vmSize"),
    ...(zone === undefined ? {} : { zone }),
    ...(os === "windows" ? { windowsBuild: build ?? "10.0.20348" } : {}),
  };
}

/** The current time in the format of Kubernetes. */
export const timestamp = (): string => new Date().toISOString().replace(/\.\d+Z$/, "Z");
