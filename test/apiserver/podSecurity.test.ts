import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { podSecurityBootstrap } from "../../bootstrap/podSecurity";
import type { KubernetesObject } from "capz-types";
import type { podSecurityLevels } from "capz-windows-platform/cluster/podSecurity";
import { at, isRecord } from "capz-windows-kit/untyped";
import { Rigs } from "../life/support/rig";
import { updateWithManifests } from "../support/inlinePlans";
import { readExample } from "../support/stacks";
import { namespace } from "./applier";
import { ApiServer, noControllers } from "./client";

/** Which pods an API server refuses that has the file of controlPlane.podSecurity. */
const rig = process.env.CAPZ_WINDOWS_RIG;

const pod = (own: string, spec: object): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: own },
  spec: { containers: [{ name: "c", image: "r.example/app:1" }], ...spec },
});
const privileged = {
  containers: [{ name: "c", image: "r.example/app:1", securityContext: { privileged: true } }],
};
const hostProcess = {
  hostNetwork: true,
  securityContext: { windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\SYSTEM" } },
};

/** The pods of workloads, with their places. */
const podsOf = (objects: readonly KubernetesObject[]): (readonly [string, KubernetesObject])[] =>
  objects.flatMap(({ kind, metadata, spec }) => {
    const template = kind === "CronJob" ? at(spec, "jobTemplate", "spec", "template") : at(spec, "template");
    const inner = at(template, "spec");
    return isRecord(inner) && "containers" in inner
      ? [[`${kind} ${metadata.name}`, pod(metadata.namespace ?? "default", inner)] as const]
      : [];
  });

if (rig === undefined || rig === "") {
  it.skip("skipped: CAPZ_WINDOWS_RIG names no rig (a program that is an API server for tests)", () =>
    undefined);
} else {
  const rigs = new Rigs({ rig, controllers: "" });
  const servers: ApiServer[] = [];

  const start = async (enforce: (typeof podSecurityLevels)[number]): Promise<ApiServer> => {
    const { args, files } = podSecurityBootstrap({
      ...{ enforce, audit: "restricted", warn: "restricted", exemptNamespaces: ["agents"] },
    });
    const file = join(rigs.folder, `${enforce}.yaml`);
    writeFileSync(file, files[0]?.content ?? "");
    const server = new ApiServer(
      await rigs.start(
        enforce,
        noControllers,
        ...args.map(({ name }) => `--apiserver-arg=--${name}=${file}`),
      ),
    );
    servers.push(server);
    return server;
  };

  const refusal = async (server: ApiServer, object: KubernetesObject, dryRun = true) => {
    const { status, body } = await server.apply(object, { dryRun });
    return status < 300 ? undefined : (body.message ?? String(status));
  };

  /** Makes a namespace, with the ServiceAccounts that pods name. */
  const prepare = async (server: ApiServer, object: KubernetesObject, accounts: Iterable<string> = []) => {
    expect(await refusal(server, object, false)).toBeUndefined();
    for (const name of new Set(["default", ...accounts])) {
      const metadata = { name, namespace: object.metadata.name };
      expect(
        await refusal(server, { apiVersion: "v1", kind: "ServiceAccount", metadata }, false),
      ).toBeUndefined();
    }
  };

  afterAll(async () => {
    servers.forEach((server) => {
      server.close();
    });
    await rigs.stopAll();
  });

  it("refuses administrators of nodes where the namespace is not exempt and no label allows them", async () => {
    const server = await start("baseline");
    const labelled = {
      ...namespace("labelled"),
      metadata: { name: "labelled", labels: { "pod-security.kubernetes.io/enforce": "privileged" } },
    };
    for (const object of [...["apps", "agents", "kube-system"].map(namespace), labelled]) {
      await prepare(server, object);
    }
    for (const spec of [privileged, hostProcess]) {
      expect(await refusal(server, pod("apps", spec))).toContain(
        'is forbidden: violates PodSecurity "baseline:latest"',
      );
      for (const own of ["agents", "kube-system", "labelled"]) {
        expect(await refusal(server, pod(own, spec))).toBeUndefined();
      }
    }
    expect(await refusal(server, pod("apps", {}))).toBeUndefined();
  });

  it("refuses no pod of any add-on at any level", async () => {
    const server = await start("restricted");
    const { objects } = await updateWithManifests(readExample("everything"));
    const delivered = objects.workload.flatMap((stream) => stream.objects);
    const pods = podsOf(delivered);
    expect(pods.length).toBeGreaterThan(10);
    for (const name of new Set(pods.map(([, { metadata }]) => metadata.namespace ?? ""))) {
      const own = delivered.find(({ kind, metadata }) => kind === "Namespace" && metadata.name === name);
      const accounts = pods
        .filter(([, { metadata }]) => metadata.namespace === name)
        .map(([, { spec }]) => at(spec, "serviceAccountName"));
      await prepare(
        server,
        own ?? namespace(name),
        accounts.filter((one) => typeof one === "string"),
      );
    }
    const answers = await Promise.all(
      pods.map(async ([name, object]) => [name, await refusal(server, object)] as const),
    );
    expect(answers.filter(([, answer]) => answer?.includes("PodSecurity"))).toEqual([]);
    expect(answers.filter(([, answer]) => answer !== undefined)).toEqual([]);
  });
}
