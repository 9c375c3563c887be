import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { providerReference } from "./requests";

/** What a child takes from its parent. */
interface Goal {
  readonly deletedWith: string;
  readonly protect: boolean | undefined;
  readonly retainOnDelete: boolean | undefined;
  readonly provider: string;
}

/** "kubernetes" of "kubernetes:core/v1:Secret" and of "…::pulumi:providers:kubernetes::name::id". */
const packageOfType = (type: string): string | undefined => type.split(":")[0];
const packageOfProvider = (provider: string): string | undefined =>
  /(?:^|\$)pulumi:providers:([^:]+)$/.exec(providerReference(provider)?.urn.split("::")[2] ?? "")?.[1];

/**
 * What the engine hands down from a resource to its children, also from a component: inheritFromParent in
 * pkg/resource/deploy/source_eval.go (v3.259). All else is inherited by the SDK, or not at all. `protect` and providers
 * are inherited by both: the SDK does not see what transforms change.
 */
export class Inheritance {
  private readonly goals = new Map<string, Goal>();

  /** Fills in what a request leaves open, before transforms see it. */
  complete(request: RegisterResourceRequest): void {
    const goal = this.goals.get(request.getParent());
    if (goal === undefined) {
      return;
    }
    if (request.getDeletedwith() === "") {
      request.setDeletedwith(goal.deletedWith);
    }
    if (!request.hasProtect() && goal.protect !== undefined) {
      request.setProtect(goal.protect);
    }
    if (!request.hasRetainondelete() && goal.retainOnDelete !== undefined) {
      request.setRetainondelete(goal.retainOnDelete);
    }
    if (
      request.getProvider() === "" &&
      packageOfProvider(goal.provider) === packageOfType(request.getType())
    ) {
      request.setProvider(goal.provider);
    }
  }

  /** @param request as the transforms have left it */
  remember(urn: string, request: RegisterResourceRequest): void {
    this.goals.set(urn, {
      deletedWith: request.getDeletedwith(),
      protect: request.hasProtect() ? request.getProtect() : undefined,
      retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
      provider: request.getProvider(),
    });
  }
}
