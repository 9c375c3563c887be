import { adviceAfterConflict } from "../../components/fieldConflicts";

/** test/apiserver/fieldConflicts.test.ts gets these messages from a real API server. */
describe("a field that another client has changed", () => {
  it("is named with its manager, and with the command that takes it back", () => {
    expect(
      adviceAfterConflict(
        'Apply failed with 2 conflicts: conflicts with "kubectl-edit" using cluster.x-k8s.io/v1beta2:\n- .spec.replicas\n- .spec.template.spec.version',
        "dev",
      ),
    ).toBe(
      [
        '"kubectl-edit" has changed .spec.replicas, .spec.template.spec.version of this object, and the stack wants another value. If the stack is right, take the field back:',
        "  PULUMI_K8S_ENABLE_PATCH_FORCE=true npx pulumi up --stack dev",
        "If the value of now is right, write it into the stack file. If a controller sets it all the time, the stack must leave it out.",
      ].join("\n"),
    );
  });

  it("is not recognized in other errors", () => {
    expect(adviceAfterConflict('machinepools.cluster.x-k8s.io "win" not found', "dev")).toBeUndefined();
  });
});
