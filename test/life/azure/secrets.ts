import { at, textAt } from "capz-windows-kit/untyped";
import type { Body, Properties } from "./resource";

/** Write-only properties of a machine, which Azure stores but no GET returns. */
export interface BootData {
  /** In base64. */
  readonly customData: string;
}

type Plain = Readonly<Record<string, unknown>>;

function shown(osProfile: unknown): Plain {
  const visible: Record<string, unknown> = { ...(osProfile as Plain) };
  delete visible.customData;
  delete visible.adminPassword;
  return visible;
}

/** The body without write-only properties. */
export function withoutSecrets(body: Body): Body {
  const properties = body.properties ?? {};
  const profile = properties.virtualMachineProfile as Plain | undefined;
  return {
    ...body,
    properties: {
      ...properties,
      ...(properties.osProfile === undefined ? {} : { osProfile: shown(properties.osProfile) }),
      ...(profile?.osProfile === undefined
        ? {}
        : { virtualMachineProfile: { ...profile, osProfile: shown(profile.osProfile) } }),
    },
  };
}

export function bootDataOf(properties: Properties | undefined): BootData | undefined {
  const osProfile = at(properties, "virtualMachineProfile", "osProfile") ?? at(properties, "osProfile");
  const customData = textAt(osProfile, "customData");
  return customData === "" ? undefined : { customData };
}
