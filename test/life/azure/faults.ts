import type { Answer } from "./resource";
import { failure } from "./resource";

/** An error with which Azure answers matching requests. */
export interface Fault {
  readonly method?: string;
  /** Pattern of the path. Should ignore case. */
  readonly path: RegExp;
  /** Number of requests that fail. Default: all until the fault is lifted. */
  readonly times?: number;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error with which an operation ends that Azure has accepted, and what it leaves of the machines it was to make. */
export interface LateFault {
  /** Pattern of the resource whose PUT is accepted. Should ignore case. */
  readonly path: RegExp;
  /** Number of operations that fail. */
  readonly times: number;
  readonly code: string;
  readonly message: string;
  /** "failed": instances in this state. "nothing": no instances, and the capacity that was asked for. */
  readonly leaves: "failed" | "nothing";
}

export class Faults {
  /** Number of requests that each fault has answered, over the whole run. */
  readonly met = new Map<string, number>();
  private active: (Fault & { left: number; met: number })[] = [];
  private readonly late: (LateFault & { left: number })[] = [];

  /** @returns a function that ends the fault, and one that returns how many requests it has answered */
  add(fault: Fault): { readonly lift: () => void; readonly met: () => number } {
    const added = { ...fault, left: fault.times ?? Number.POSITIVE_INFINITY, met: 0 };
    this.active.push(added);
    return {
      lift: () => {
        this.active = this.active.filter((other) => other !== added);
      },
      met: () => added.met,
    };
  }

  /** @returns a function that returns how many operations have failed with it */
  addLate(fault: LateFault): { readonly met: () => number } {
    const added = { ...fault, left: fault.times };
    this.late.push(added);
    return { met: () => fault.times - added.left };
  }

  /** The error of an operation that begins now. */
  lateOf(path: string): LateFault | undefined {
    const fault = this.late.find((each) => each.left > 0 && each.path.test(path));
    if (fault) {
      fault.left -= 1;
      const what = `an operation of Azure ended with ${fault.code}`;
      this.met.set(what, (this.met.get(what) ?? 0) + 1);
    }
    return fault;
  }

  answer(method: string, path: string): Answer | undefined {
    const fault = this.active.find(
      (each) => each.left > 0 && (each.method ?? method) === method && each.path.test(path),
    );
    if (!fault) {
      return undefined;
    }
    fault.left -= 1;
    fault.met += 1;
    const what = `Azure answered ${fault.status} ${fault.code}`;
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
    return { ...failure(fault.status, fault.code, fault.message), headers: fault.headers ?? {} };
  }
}

/**
 * Errors with the codes and messages of Azure.
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors
 */
export const azureErrors = {
  /** https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-resource-quota */
  quota: {
    status: 409,
    code: "OperationNotAllowed",
    message:
      "Operation could not be completed as it results in exceeding approved standardDSv5Family Cores quota. " +
      "Additional details - Deployment Model: Resource Manager, Location: westeurope, Current Limit: 10, " +
      "Current Usage: 8, Additional Required: 4, (Minimum) New Limit Required: 12.",
  },
  conflict: {
    status: 409,
    code: "Conflict",
    message: "The request failed due to conflict with a concurrent request.",
  },
  /** https://learn.microsoft.com/azure/virtual-machines/troubleshooting/troubleshooting-throttling-errors */
  throttled: {
    status: 429,
    code: "OperationNotAllowed",
    message:
      "The server rejected the request because too many requests have been received for this subscription.",
    headers: { "retry-after": "3" },
  },
  unavailable: {
    status: 503,
    code: "ServiceUnavailable",
    message: "The service is temporarily unavailable. Please retry the request later.",
  },
  internal: {
    status: 500,
    code: "InternalServerError",
    message: "Encountered internal server error.",
  },
} as const;

/** Errors that Azure tells by the operation only, after it has accepted the request (kubernetes/autoscaler#8323). */
export const lateErrors = {
  /** https://learn.microsoft.com/troubleshoot/azure/virtual-machines/windows/allocation-failure */
  allocation: {
    code: "AllocationFailed",
    message:
      "Allocation failed. We do not have sufficient capacity for the requested VM size in this region. Read more about improving likelihood of allocation success at https://aka.ms/allocation-guidance",
  },
  /** Message as in jenkins-infra/helpdesk#3584. */
  zonal: {
    code: "OverconstrainedZonalAllocationRequest",
    message:
      "Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too restrictive. Please remove some constraints and try again. Constraints applied are:\n  - Availability Zone\n  - Networking Constraints (such as Accelerated Networking or IPv6)\n  - VM Size\n",
  },
  /** https://learn.microsoft.com/troubleshoot/azure/virtual-machines/windows/vm-extension-provisioning-errors */
  osTimeout: {
    code: "OSProvisioningTimedOut",
    message:
      "OS Provisioning for VM 'boot_1' did not finish in the allotted time. The VM may still finish provisioning successfully. Please check provisioning state later.",
  },
} as const;
