import { diagnose } from "../../commands/doctor/diagnose";
import type { Get } from "../../commands/cluster/answers";
import { workloadKinds } from "../../commands/cluster/kinds";
import { readCluster } from "../../commands/cluster/readCluster";
import { eventOf } from "../../commands/cluster/objects";
import { patient } from "./patient";
import { StandIn } from "./standIn";

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

it("reads warnings, and the events of other types that say what is wrong", async () => {
  const p = patient();
  const pod = p.get("Pod", "coredns");
  for (const reason of ["FailedScheduling", "NotTriggerScaleUp", "FailedBinding", "Pulled"]) {
    p.event(pod, reason, "text", { side: "workload" });
    Object.assign(p.get("Event", `${pod.metadata.name}.${reason}`), {
      type: reason === "FailedScheduling" ? "Warning" : "Normal",
    });
  }
  const server = new StandIn(p.snapshot().workload.objects);
  const url = await server.listen();
  const get: Get = async (path) => {
    const answer = await fetch(`${url}${path}`);
    return { status: answer.status, body: await answer.json() };
  };
  const { objects } = await readCluster(get, workloadKinds, "sick");
  server.close();
  const reasons = objects.flatMap((object) => (object.kind === "Event" ? [eventOf(object).reason] : []));
  expect(reasons).toEqual(["FailedScheduling", "NotTriggerScaleUp", "FailedBinding"]);
});
