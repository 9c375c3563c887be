import type { KubernetesObject } from "capz-types";
import type { ProbeNode } from "capz-windows-probe/model";
import {
  baseObjects,
  claimObject,
  imageOf,
  namespaceObject,
  podObject,
  serviceObject,
} from "capz-windows-probe/objects";
import { factsWith } from "../support/stacks";
import { namespace } from "./applier";
import { ApiServer } from "./client";

/** What the probe creates is judged by an API server, with its Pod Security admission. */

const kubeconfig = process.env.CAPZ_WINDOWS_KUBECONFIG;

const facts = factsWith({ linuxPools: { linux1: {} }, windowsPools: { win1: {} } });
const open = { ...facts, network: { ...facts.network, allowedCidrs: ["203.0.113.0/24"] } };

const node = (os: "linux" | "windows", pool: string): ProbeNode => ({
  ...{ name: `${pool}000000`, os, pool, zone: "1", ip: "10.10.128.4", ready: true },
  object: {
    ...{ apiVersion: "v1", kind: "Node" },
    metadata: { name: `${pool}000000`, labels: { "node.kubernetes.io/windows-build": "10.0.20348" } },
  },
});

const pods = [node("linux", "linux1"), node("windows", "win1")].flatMap((each) =>
  (["host", "pod"] as const).flatMap((place) =>
    [{}, { serves: true }, { claim: "disk" }].map((more, index) =>
      podObject({
        ...{ name: `${each.os}-${place}-${index}`, node: each, place, steps: "adapters;serve x" },
        ...{ image: imageOf(facts, each, place), deadlineSeconds: 600, ...more },
      }),
    ),
  ),
);

if (kubeconfig === undefined || kubeconfig === "") {
  it.skip("skipped: CAPZ_WINDOWS_KUBECONFIG names no API server for tests", () => undefined);
} else {
  const server = new ApiServer(kubeconfig);
  // A namespace of this test, so that it does not meet another run of it.
  const own = `probe-${process.pid}`;
  const within = (object: KubernetesObject): KubernetesObject => ({
    ...object,
    metadata: { ...object.metadata, namespace: own },
  });

  const refused = async (object: KubernetesObject, dryRun = true): Promise<string | undefined> => {
    const { status, body } = await server.apply(object, { dryRun });
    return status >= 300 ? (body.message ?? String(status)) : undefined;
  };

  beforeAll(async () => {
    const { metadata } = namespaceObject;
    expect(
      await refused({ ...namespaceObject, metadata: { ...metadata, name: own } }, false),
    ).toBeUndefined();
    for (const object of baseObjects()) {
      expect(await refused(within(object), false)).toBeUndefined();
    }
  });

  afterAll(async () => {
    await server.remove(namespace(own));
    server.close();
  });

  it.each(
    [serviceObject(facts), serviceObject(open), claimObject("disk", "managed-csi"), ...pods].map(
      (object) => [`${object.kind} ${object.metadata.name}`, object] as const,
    ),
  )("%s", async (_name, object) => {
    expect(await refused(within(object))).toBeUndefined();
  });

  it("needs the label of its namespace: without it the pods of hosts are refused", async () => {
    const closed = `${own}-closed`;
    const labels = { "pod-security.kubernetes.io/enforce": "baseline" };
    const object = namespace(closed);
    await refused({ ...object, metadata: { ...object.metadata, labels } }, false);
    const account = within(baseObjects()[0]!);
    await refused({ ...account, metadata: { ...account.metadata, namespace: closed } }, false);
    const pod = pods.find(({ metadata }) => metadata.name === "windows-host-0")!;
    expect(await refused({ ...pod, metadata: { ...pod.metadata, namespace: closed } })).toContain(
      'violates PodSecurity "baseline:latest"',
    );
    await server.remove(object);
  });
}
