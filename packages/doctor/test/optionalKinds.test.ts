import { diagnose } from "capz-windows-doctor/diagnose";
import type { Get } from "capz-windows-doctor/cluster/answers";
import { workloadKinds } from "capz-windows-doctor/cluster/kinds";
import { readCluster } from "capz-windows-doctor/cluster/readCluster";
import { eventOf } from "capz-windows-doctor/cluster/objects";
import { patient } from "./patient";
import { StandIn } from "./standIn";

const groups = workloadKinds.map(({ group, versions }) => ({
  name: group,
  versions: versions.map((version) => ({ version })),
}));

/** An API server that has nothing, and refuses some kinds. */
const refusing =
  (refused: RegExp): Get =>
  (path) =>
    Promise.resolve(
      path === "/apis"
        ? { status: 200, body: { groups } }
        : refused.test(path)
          ? { status: 403, body: { message: "forbidden" } }
          : { status: 200, body: { items: [] } },
    );

it.each([[/apiservices/, ["APIService"], ["workload-unauthorized"]]])(
  "a kubeconfig that may not read %s",
  async (refused, asked, findings) => {
    const { problems } = await readCluster(refusing(refused), workloadKinds, "sick");
    expect(problems.map((problem) => problem.asked)).toEqual(asked);
    const snapshot = patient().snapshot();
    const workload = { ...snapshot.workload, problems };
    expect(diagnose({ ...snapshot, workload }).findings.map(({ id }) => id)).toEqual(findings);
  },
);

const answering =
  (status: number, body: unknown, asked: RegExp, served: readonly unknown[] = groups): Get =>
  (path) => {
    if (path === "/apis") {
      return Promise.resolve({ status: 200, body: { groups: served } });
    }
    return Promise.resolve(asked.test(path) ? { status, body } : { status: 200, body: { items: [] } });
  };

const problemsOf = async (get: Get): Promise<string[]> =>
  (await readCluster(get, workloadKinds, "sick")).problems.map(
    ({ what, asked, message }) => `${what} ${asked}: ${message}`,
  );

const nowhere = { kind: "Status", message: "the server could not find the requested resource" };

it("what every API server has is not absent, whoever says so", async () => {
  expect(await problemsOf(answering(404, nowhere, /\/(?:pods|apiservices)\?/))).toEqual([
    `absent Pod: ${nowhere.message}`,
    `absent APIService: ${nowhere.message}`,
  ]);
  const few = groups.filter(({ name }) => name !== "apps");
  expect(await problemsOf(answering(404, nowhere, /^$/, few))).toEqual([
    "absent Deployment: the server does not have deployments.apps",
  ]);
});

it("what only some clusters have is absent where an API server says so, and not where a proxy does", async () => {
  const asked = /tigerastatuses/;
  const few = groups.filter(({ name }) => name !== "operator.tigera.io");
  expect(await problemsOf(answering(404, nowhere, asked))).toEqual([]);
  expect(await problemsOf(answering(404, { message: "404 page not found\n" }, asked))).toEqual([]);
  expect(await problemsOf(answering(404, nowhere, /^$/, few))).toEqual([]);
  expect(await problemsOf(answering(404, { message: "<html>nginx" }, asked))).toEqual([
    "other TigeraStatus: HTTP 404: <html>nginx",
  ]);
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
