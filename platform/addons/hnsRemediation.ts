import { components } from "../compatibility";

/** Seconds between two checks of HNS. */
export const hnsInterval = { default: 30, min: 10, max: 600 } as const;

export const hostProcessBaseVersion: string = components.hostProcessBase.version;

/** An image of a few kilobytes that runs on every Windows release: its containers use the programs of the host. */
export const hostProcessBaseImage = `mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:${hostProcessBaseVersion}`;
