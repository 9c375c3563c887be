import type { LinuxPoolSettings } from "../../config/settings";
import type { ComponentOptions } from "../childOptions";
import { azureJsonSecret } from "../workloadCluster/naming";
import { linuxWorkerKubeadmConfigSpec } from "./bootstrap/linux";
import { capzImage } from "./images";
import { Pool } from "./machinePool";
import type { PoolPlace } from "./manifests";

export interface LinuxPoolArgs extends PoolPlace, LinuxPoolSettings {}

/** A named pool of Linux nodes in a scale set. */
export class LinuxPool extends Pool {
  constructor(name: string, { image, files, ...args }: LinuxPoolArgs, opts: ComponentOptions) {
    super(
      "LinuxPool",
      name,
      {
        ...args,
        os: "linux",
        image: capzImage(image, { os: "linux" }, args.kubernetesVersion),
        bootstrap: linuxWorkerKubeadmConfigSpec({
          ...args,
          azureJsonSecret: azureJsonSecret(args.name),
          extraFiles: files,
        }),
      },
      opts,
    );
  }
}
