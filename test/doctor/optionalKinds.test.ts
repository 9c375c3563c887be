import { diagnose } from "../../doctor/diagnose";
import type { Get } from "../../cluster/answers";
import { workloadKinds } from "../../cluster/kinds";
import { readCluster } from "../../cluster/readCluster";
import { patient } from "./patient";

/** An API server that has nothing, and refuses some kinds. */
const refusing =
  (refused: RegExp): Get =>
  (path) =>
    Promise.resolve(
      path === "/apis"
        ? { status: 200, body: { groups: [{ name: "networking.k8s.io", versions: [{ version: "v1" }] }] } }
        : refused.test(path)
          ? { status: 403, body: { message: "forbidden" } }
          : { status: 200, body: { items: [] } },
    );

it.each([
  [/ingressclasses/, ["IngressClass"], []],
  [/networkpolicies/, ["NetworkPolicy"], ["workload-unauthorized"]],
])("a kubeconfig that may not read %s", async (refused, asked, findings) => {
  const { problems } = await readCluster(refusing(refused), workloadKinds, "sick");
  expect(problems.map((problem) => problem.asked)).toEqual(asked);
  const snapshot = patient().snapshot();
  const workload = { ...snapshot.workload, problems };
  expect(diagnose({ ...snapshot, workload }).findings.map(({ id }) => id)).toEqual(findings);
});
