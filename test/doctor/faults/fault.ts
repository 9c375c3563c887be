import type { Patient } from "../patient";

/** A fault in a healthy cluster, and the rule that must name it first. */
export interface Fault {
  readonly name: string;
  readonly rule: string;
  /** The scope that the report must name. Default: not checked. */
  readonly scope?: string;
  readonly make: (patient: Patient) => unknown;
}

/** An error of Azure in the format of CAPZ (azcore's ResponseError). */
export const azure = (status: number, code: string, message: string, what = "scalesets"): string =>
  `${what} failed to create or update. err: failed to create or update resource sick/win1 (service: ${what}): PUT https://management.azure.com/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets/win1\n--------------------------------------------------------------------------------\nRESPONSE ${status}: ${status} Conflict\nERROR CODE: ${code}\n--------------------------------------------------------------------------------\n{\n  "error": {\n    "code": "${code}",\n    "message": ${JSON.stringify(message)}\n  }\n}\n`;

export const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick";
