import { imagesInObjects, imagesOfKubeadm } from "../model/images";
import type { StackReport } from "./stackReport";

/** One reference of a container image in each line; lines with # name machine images, and what a plan cannot know. */
export function imagesText({ plan, stack }: StackReport): string {
  if (plan === undefined) {
    throw new Error(`stack ${stack} has no plan`);
  }
  const { controlPlane, pools } = plan.cluster;
  const containers = [...imagesInObjects(plan.objects), ...imagesOfKubeadm(plan.objects)];
  const machines = pools.map(({ image }) => image);
  if (controlPlane !== undefined) {
    machines.push(controlPlane.image);
  }
  const lines = [
    ...new Set(containers.sort()),
    ...[...new Set(machines)].sort().map((image) => `# machine image ${image}`),
    "# not listed: images in charts, in the providers of Cluster API and in published manifests that were not downloaded;",
    "# etcd, CoreDNS and pause, which kubeadm and containerd choose; the software in machine images",
  ];
  return lines.map((line) => `${line}\n`).join("");
}
