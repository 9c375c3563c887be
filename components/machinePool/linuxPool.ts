import type { ComponentOptions } from "../childOptions";
import { linuxWorkerKubeadmConfigSpec } from "../../domain/bootstrap/linux";
import { capzImage } from "../../domain/machines/images";
import { Pool } from "./machinePool";
import type { PoolChoices, PoolPlace } from "./manifests";

export interface LinuxPoolArgs extends PoolPlace, PoolChoices {}

/** A named pool of Linux nodes in a scale set. */
export class LinuxPool extends Pool {
  constructor(name: string, { image, files, ...args }: LinuxPoolArgs, opts: ComponentOptions) {
    super(
      "LinuxPool",
      name,
      {
        ...args,
        os: "linux",
        kind: "MachinePool",
        image: capzImage(image, { os: "linux" }, args.kubernetesVersion),
        bootstrap: (azureJsonSecret) =>
          linuxWorkerKubeadmConfigSpec({ ...args, azureJsonSecret, extraFiles: files }),
      },
      opts,
    );
  }
}
