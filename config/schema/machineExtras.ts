import { z } from "zod";
import { OsDiskType } from "capz-windows-platform/machines/pools";
import { count, keyWithDefault, mapping, matching, optionalKey, optionalMapping, text } from "./scalars";

/** Data disks of a pool's machines, and what else Azure puts on them. */

const disk = {
  name: matching(/^[a-z][a-z0-9]{0,10}$/, {
    description: "Label of the file system, and end of the disk's name in Azure",
    allowed: "1–11 letters a–z and digits, starting with a letter",
    examples: ["data"],
  }),
  sizeGB: count("Size in GB", 4, 32_767, 128),
  type: optionalKey(z.enum(OsDiskType), {
    description: "Type of the disk. Default: Premium_LRS",
    examples: ["StandardSSD_LRS"],
  }),
};

export interface DataDisk {
  readonly name: string;
  readonly sizeGB: number;
  readonly type?: OsDiskType | undefined;
  /** Of a Linux pool. */
  readonly mountPath?: string;
  /** Of a Windows pool. */
  readonly letter?: string;
}

/** Of one type for both operating systems, so that what reads pools need not tell them apart. */
const disks = (one: z.ZodType, where: string, example: object) =>
  keyWithDefault(z.array(one as z.ZodType<DataDisk, DataDisk>).max(16), [], {
    description: `Data disks of each machine, ${where} before \`kubeadm join\`; what is on them goes with the machine. A scale set takes them when it is created, and later with its next image`,
    allowed: "a list of up to 16 disks, each with a name",
    examples: [[example]],
  });

export const linuxDataDisks = disks(
  mapping("A data disk", {
    ...disk,
    mountPath: matching(/^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/, {
      description: "Folder in which the disk is mounted, with ext4",
      allowed: "an absolute path of letters, digits, -, _ and .",
      examples: ["/data"],
    }),
  }),
  "formatted and mounted",
  { name: "data", sizeGB: 256, mountPath: "/data" },
);

export const windowsDataDisks = disks(
  mapping("A data disk", {
    ...disk,
    letter: matching(/^[F-Z]$/, {
      description: "Letter of the drive, which has NTFS",
      allowed: "one letter from F to Z; Windows and Azure use the letters before",
      examples: ["F"],
    }),
  }),
  "formatted and with a letter",
  { name: "data", sizeGB: 256, letter: "F" },
);

export const vmExtensions = keyWithDefault(
  z
    .array(
      mapping("An extension", {
        name: text("Type of the extension, which CAPZ takes as its name too", "AzureMonitorWindowsAgent"),
        publisher: text("Publisher of the extension", "Microsoft.Azure.Monitor"),
        version: matching(/^\d+\.\d+$/, {
          description: "Major and minor version",
          allowed: "MAJOR.MINOR in quotes",
          examples: ["1.0"],
        }),
        settings: keyWithDefault(
          z.record(z.string().min(1), z.string()),
          {},
          {
            description: "Public settings, which everybody may read. Default: none",
            allowed: "a mapping of names to texts; secrets do not belong in it",
            examples: [{ authentication: "managedIdentity" }],
          },
        ),
      }),
    )
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length),
  [],
  {
    description:
      "VM extensions of each machine. A scale set takes them when it is created, and later with its next image",
    allowed: "a list of {name, publisher, version, settings}, each name once",
    examples: [[{ name: "AzureMonitorWindowsAgent", publisher: "Microsoft.Azure.Monitor", version: "1.0" }]],
  },
);

export const trustedLaunch = optionalMapping(
  "Trusted Launch, for kind MachineDeployment with an image of your own of generation 2; CAPZ does not have it for scale sets. `{}` turns both on. Default: off",
  {
    secureBoot: keyWithDefault(z.boolean(), true, {
      description: "Boot only what is signed",
      examples: [true],
    }),
    vTpm: keyWithDefault(z.boolean(), true, {
      description: "A virtual Trusted Platform Module",
      examples: [true],
    }),
  },
  { secureBoot: true, vTpm: true },
);
