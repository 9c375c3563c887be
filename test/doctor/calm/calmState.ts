import type { Patient } from "../patient";

/** A healthy cluster in a state that looks like a fault. */
export interface Calm {
  readonly name: string;
  readonly make: (p: Patient) => unknown;
}

export const iis = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";
