import { execFileSync } from "node:child_process";
import { adviceAfterConflict } from "../../components/fieldConflicts";
import type { KubernetesObject } from "capz-types";
import { objectsOf, planOf } from "../support/plans";
import { namespace } from "./applier";
import { ApiServer, type Answer } from "./client";

/** What docs/operations.md says about changes by hand, with a real API server and a real kubectl. */
const kubeconfig = process.env.CAPZ_WINDOWS_KUBECONFIG;
const rig = process.env.CAPZ_WINDOWS_RIG;

if (kubeconfig === undefined || rig === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_KUBECONFIG and CAPZ_WINDOWS_RIG name no test API server", () => undefined);
} else {
  const server = new ApiServer(kubeconfig);
  const own = namespace(`conflicts-${process.pid}`);
  let pool: KubernetesObject;

  const kubectl = (...words: string[]): string =>
    execFileSync(rig, ["kubectl", "--kubeconfig", kubeconfig, "-n", own.metadata.name, ...words], {
      encoding: "utf8",
    });

  /** Applies the pool as the program does, or with PULUMI_K8S_ENABLE_PATCH_FORCE. */
  const up = (spec: object, force = false): Promise<Answer> =>
    server.apply({ ...pool, spec: { ...(pool.spec as object), ...spec } }, { dryRun: false, force });

  beforeAll(async () => {
    const plan = await planOf("dev");
    const [found] = objectsOf(plan, "MachinePool");
    pool = { ...found!, metadata: { ...found!.metadata, namespace: own.metadata.name } };
    await server.apply(own, { dryRun: false });
    expect((await up({ replicas: 2 })).status).toBe(201);
  });

  afterAll(async () => {
    await server.remove(own);
    server.close();
  });

  it("a number of nodes changed with kubectl stops the next up, which says how to go on", async () => {
    kubectl("scale", `machinepools.cluster.x-k8s.io/${pool.metadata.name}`, "--replicas=5");
    const { status, body } = await up({ replicas: 2 });
    expect(status).toBe(409);
    expect(body.message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using cluster.x-k8s.io/v1beta2: .spec.replicas',
    );
    expect(adviceAfterConflict(`the server said: ${body.message}`, "dev")).toBe(
      [
        '"kubectl" has changed .spec.replicas of this object, and the stack wants another value. If the stack is right, take the field back:',
        "  PULUMI_K8S_ENABLE_PATCH_FORCE=true npx pulumi up --stack dev",
        "If the value of now is right, write it into the stack file. If a controller sets it all the time, the stack must leave it out.",
      ].join("\n"),
    );
  });

  it("the advice takes the field back, and the up after it needs no variable", async () => {
    expect((await up({ replicas: 2 }, true)).status).toBe(200);
    expect((await up({ replicas: 3 })).status).toBe(200);
  });

  it("several changed fields are all named", async () => {
    const change = JSON.stringify({ spec: { replicas: 7, failureDomains: ["9"] } });
    kubectl("patch", "machinepools.cluster.x-k8s.io", pool.metadata.name, "--type=merge", "-p", change);
    const { body } = await up({ replicas: 3, failureDomains: ["1"] });
    expect(adviceAfterConflict(body.message ?? "", "dev")?.split("\n")[0]).toBe(
      '"kubectl-patch" has changed .spec.failureDomains, .spec.replicas of this object, and the stack wants another value. If the stack is right, take the field back:',
    );
  });

  it("a value that another client has set is no conflict if the stack has it, too", async () => {
    expect((await up({ replicas: 7, failureDomains: ["9"] })).status).toBe(200);
  });
}
