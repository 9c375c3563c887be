import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * Azure's own types of the bodies of requests, which judge.js in the folder CAPZ_WINDOWS_AZURE_TYPES reads.
 * @see https://github.com/Azure/bicep-types-az
 */
export const azureTypes = process.env.CAPZ_WINDOWS_AZURE_TYPES;

export const withoutTypes = "skipped: Azure's own types judge no body, which needs CAPZ_WINDOWS_AZURE_TYPES";

interface Judge {
  /** Undefined if the types do not have this type in this version. */
  faults(type: string, apiVersion: string, content: object): [path: string, what: string][] | undefined;
}

const judge =
  azureTypes === undefined ? undefined : (createRequire(__filename)(join(azureTypes, "judge.js")) as Judge);

const typesText =
  azureTypes === undefined ? "" : readFileSync(join(azureTypes, "types.json"), "utf8").toLowerCase();

/** Types that the program uses and the folder does not have: their bodies are not judged. */
const notJudged = new Set([
  "microsoft.network/publicipprefixes",
  "microsoft.containerservice/managedclusters/maintenanceconfigurations",
]);

/** Whether the types have a type of resource in any version. */
const isKnown = (type: string): boolean => typesText.includes(`"${type.toLowerCase()}@`);

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** That of a type, or of a version of it, which Azure does not have. The folder lacks a new one, too: then it must be renewed. */
function notRegistered(type: string, apiVersion: string): Refusal {
  const [namespace = "", ...rest] = type.split("/");
  const name = rest.join("/");
  return isKnown(type)
    ? {
        code: "NoRegisteredProviderFound",
        message: `No registered resource provider found for API version '${apiVersion}' for type '${name}' of '${namespace}'.`,
      }
    : {
        code: "InvalidResourceType",
        message: `The resource type '${name}' could not be found in the namespace '${namespace}' for api version '${apiVersion}'.`,
      };
}

/**
 * Why Azure would refuse a body; undefined if its types take it, or if they are not here. The codes and the frames of the
 * messages are those of Resource Manager; what is wrong stands in the words of the judge.
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-invalid-template
 * @param sentBack - whether the body may have what Azure itself wrote: a client that changes a resource sends back what it has
 *   read, and Azure ignores those fields
 *   (https://github.com/Azure/azure-resource-manager-rpc/blob/master/v1.0/resource-api-reference.md)
 */
export function refusalOf(
  type: string,
  apiVersion: string,
  content: object,
  sentBack = false,
): Refusal | undefined {
  if (judge === undefined || (notJudged.has(type.toLowerCase()) && !isKnown(type))) {
    return undefined;
  }
  const all = judge.faults(type, apiVersion, content);
  if (all === undefined) {
    return notRegistered(type, apiVersion);
  }
  const faults = all.filter(([, what]) => !sentBack || what !== "is read-only");
  if (faults.length === 0) {
    return undefined;
  }
  const lines = faults.map(([path, what]) => `${path.replace(/^\./, "")} ${what}`);
  return {
    code: "InvalidRequestContent",
    message: `The request content was invalid and could not be deserialized: '${lines.join("; ")}'.`,
  };
}
