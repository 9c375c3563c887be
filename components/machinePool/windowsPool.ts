import type { ComponentOptions } from "../childOptions";
import { windowsKubeadmConfigSpec } from "../../domain/bootstrap/windows";
import { capzImage } from "../../domain/machines/images";
import { Pool } from "./machinePool";
import type { PoolChoices, PoolKind, PoolPlace } from "./manifests";

export interface WindowsPoolArgs extends PoolPlace, PoolChoices {
  readonly kind: PoolKind;
  /** Windows Server release: "2019", "2022" or "2025". */
  readonly windowsServer: string;
}

/**
 * A named pool of Windows nodes, in a scale set or as single machines: a capi-windows image that cloudbase-init sets
 * up. Up to 9 characters its name is also the scale set's and the prefix of the computer names.
 */
export class WindowsPool extends Pool {
  constructor(name: string, { image, files, ...args }: WindowsPoolArgs, opts: ComponentOptions) {
    const { kubernetesVersion, windowsServer, platform } = args;
    super(
      "WindowsPool",
      name,
      {
        ...args,
        os: "windows",
        image: capzImage(
          image,
          { os: "windows", windowsServer, runtime: platform.flavor },
          kubernetesVersion,
        ),
        bootstrap: (azureJsonSecret) =>
          windowsKubeadmConfigSpec({ ...args, azureJsonSecret, extraFiles: files }),
      },
      opts,
    );
  }
}
