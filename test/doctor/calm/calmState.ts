import type { Patient } from "../patient";

/** A healthy cluster at a moment that looks as if something were wrong. */
export interface Calm {
  readonly name: string;
  readonly make: (p: Patient) => unknown;
}

export const iis = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";
