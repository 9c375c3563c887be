import { managementKinds, workloadKinds } from "capz-windows-doctor/cluster/kinds";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import { ApiServerStandIn } from "capz-windows-test-kit/apiServerStandIn";

/** A fake API server that has the kinds of which the doctor asks. */
export class StandIn extends ApiServerStandIn {
  constructor(objects: readonly KubeObject[], refuse?: ConstructorParameters<typeof ApiServerStandIn>[2]) {
    super([...managementKinds, ...workloadKinds], objects, refuse);
  }
}
