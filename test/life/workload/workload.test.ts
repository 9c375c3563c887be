import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, credentials } from "@grpc/grpc-js";
import { stringify } from "yaml";
import { Arm } from "../azure/arm";
import { Clock, sleep } from "../azure/clock";
import type { Body } from "../azure/resource";
import { Proxy } from "../azure/server";
import { until } from "../deploy";
import { Kube } from "../kube";
import { certificateAuthority, serverCertificate } from "../support/certificates";
import { Rigs } from "../support/rig";
import { Timeline } from "../timeline";
import { WorkloadCluster } from "./cluster";

const rig = process.env.CAPZ_WINDOWS_RIG;
const group = "/subscriptions/s/resourceGroups/G";
const host = "small-1.here.cloudapp.azure.com";

/** Bootstrap data of the first machine, reduced to the parts that matter here. */
function customData(ca: { cert: string; key: string }, etcd: { cert: string; key: string }): string {
  const kubeadm = [
    { apiVersion: "kubeadm.k8s.io/v1beta4", kind: "ClusterConfiguration", kubernetesVersion: "v1.35.6" },
    {
      apiVersion: "kubeadm.k8s.io/v1beta4",
      kind: "InitConfiguration",
      nodeRegistration: {
        name: '{{ ds.meta_data["local_hostname"] }}',
        kubeletExtraArgs: [
          { name: "cloud-provider", value: "external" },
          { name: "node-labels", value: "a=b" },
        ],
      },
    },
  ];
  const files = {
    "/etc/kubernetes/pki/ca.crt": ca.cert,
    "/etc/kubernetes/pki/ca.key": ca.key,
    "/etc/kubernetes/pki/etcd/ca.crt": etcd.cert,
    "/etc/kubernetes/pki/etcd/ca.key": etcd.key,
    "/run/kubeadm/kubeadm.yaml": kubeadm.map((document) => stringify(document)).join("---\n"),
  };
  const text = stringify({
    write_files: Object.entries(files).map(([path, content]) => ({ path, content })),
  });
  return Buffer.from(`## template: jinja\n#cloud-config\n${text}`).toString("base64");
}

if (rig === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_RIG names no rig (a program that is an API server for tests)", () =>
    undefined);
} else {
  const clock = new Clock();
  const arm = new Arm(clock, 50);
  const rigs = new Rigs({ rig, controllers: "" });
  const authority = certificateAuthority("simulated Azure");
  const proxy = new Proxy(arm, authority);
  const [ca, etcd] = [certificateAuthority("kubernetes"), certificateAuthority("etcd-ca")];
  const put = (path: string, body: unknown) =>
    arm.answer({ method: "PUT", path, query: new URLSearchParams(), body: body as Body });
  let cluster: WorkloadCluster;
  let kube: Kube;
  const troubles: string[] = [];

  beforeAll(async () => {
    kube = new Kube(await rigs.start("w"));
    cluster = new WorkloadCluster(
      {
        ...{ name: "small", host, resourceGroupId: group, rig: rigs.dir("w"), kube, delivered: [] },
        ...{ version: "v1.0.0", bootMs: 10, operatorMs: 0, networkMs: 0 },
      },
      arm,
      clock,
      new Timeline(clock, "small"),
    );
    proxy.announce(host, () => cluster.server());
    cluster.start((error) => troubles.push(String(error)));
  }, 60_000);

  afterAll(async () => {
    clock.stop();
    proxy.close();
    cluster.close();
    await rigs.stopAll();
  });

  it("a machine boots, initializes the cluster and registers as a node with the properties in its bootstrap data", async () => {
    put(group, {});
    const nic = `${group}/providers/Microsoft.Network/networkInterfaces/cp-nic`;
    put(nic, {});
    expect(cluster.server()).toBeUndefined();
    put(`${group}/providers/Microsoft.Compute/virtualMachines/cp`, {
      properties: {
        osProfile: { computerName: "cp", customData: customData(ca, etcd) },
        storageProfile: {
          imageReference: {
            id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/m/images/i/versions/1.35.6",
          },
        },
        networkProfile: { networkInterfaces: [{ id: nic }] },
      },
    });
    await until(
      "the node is there",
      20,
      async () => (await kube.list({ apiVersion: "v1", kind: "Pod" })).length === 4,
    );
    const node = await kube.get({ apiVersion: "v1", kind: "Node" }, "cp");
    expect(node?.metadata.labels).toMatchObject({ a: "b", "node-role.kubernetes.io/control-plane": "" });
    expect(node?.spec?.taints).toMatchObject([
      { key: "node-role.kubernetes.io/control-plane" },
      { key: "node.cloudprovider.kubernetes.io/uninitialized" },
      { key: "node.kubernetes.io/not-ready" },
    ]);
    expect(troubles).toEqual([]);
  }, 40_000);

  it("etcd is reached through the API server's port-forward, as the control plane provider does", async () => {
    const kubeconfig = join(rigs.folder, "kubeconfig");
    const data = (text: string) => Buffer.from(text).toString("base64");
    writeFileSync(
      kubeconfig,
      stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters: [
          {
            name: "a",
            cluster: { server: `https://${host}:6443`, "certificate-authority-data": data(ca.cert) },
          },
        ],
        users: [{ name: "a", user: { token: "anyone" } }],
        contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
        "current-context": "a",
      }),
    );
    // kubectl has a cache in its home directory.
    const env = { PATH: process.env.PATH, HOME: rigs.folder, HTTPS_PROXY: await proxy.listen() };
    const nodes = output(rig, ["kubectl", "--kubeconfig", kubeconfig, "get", "nodes", "-o", "name"], env);
    expect(await nodes).toBe("node/cp\n");
    const forward = spawn(
      rig,
      ["kubectl", "--kubeconfig", kubeconfig, "-n", "kube-system", "port-forward", "pod/etcd-cp", ":2379"],
      { env, stdio: ["ignore", "pipe", "inherit"] },
    );
    try {
      const port = await new Promise<string>((resolve, reject) => {
        forward.stdout.on("data", (chunk: Buffer) => {
          const [, found] = /127\.0\.0\.1:(\d+)/.exec(chunk.toString()) ?? [];
          if (found !== undefined) {
            resolve(found);
          }
        });
        forward.on("exit", reject);
      });
      const own = serverCertificate(etcd, ["client"]);
      const client = new Client(
        `127.0.0.1:${port}`,
        credentials.createSsl(Buffer.from(etcd.cert), Buffer.from(own.key), Buffer.from(own.cert)),
        { "grpc.ssl_target_name_override": "etcd" },
      );
      const answer = await new Promise<Buffer>((resolve, reject) => {
        client.makeUnaryRequest<Buffer, Buffer>(
          "/etcdserverpb.Cluster/MemberList",
          (each) => each,
          (each) => each,
          Buffer.alloc(0),
          (error, value) => {
            if (error) {
              reject(error);
            } else {
              resolve(value!);
            }
          },
        );
      });
      expect(answer.toString("latin1")).toContain("https://cp:2379");
      client.close();
    } finally {
      forward.kill();
      await sleep(50);
    }
  }, 30_000);
}

/** Output of a command. Asynchronous, because this process is also the server that the command calls. */
function output(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.on("exit", (code) => {
      if (code === 0) {
        resolve(out);
      } else {
        reject(new Error(err));
      }
    });
  });
}
