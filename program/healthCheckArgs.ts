import type { HealthCheckArgs } from "../components/machineHealthArgs";
import type { Settings } from "../config/settings";
import { withoutEmpty } from "capz-windows-kit/without";

/** A limit as the components take it: text, because their schema for other languages does not support union types. */
export const healthCheckArgs = (
  settings: Settings["controlPlane"]["healthCheck"],
): HealthCheckArgs | undefined =>
  settings === undefined
    ? undefined
    : withoutEmpty({
        ...settings,
        unhealthyLessThanOrEqualTo:
          settings.unhealthyLessThanOrEqualTo === undefined
            ? undefined
            : String(settings.unhealthyLessThanOrEqualTo),
      });
