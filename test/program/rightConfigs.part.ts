import fc from "fast-check";
import type { KubernetesObject } from "capz-types";
import { expectedMtus } from "capz-windows-platform/network/mtu";
import { at, list, strings } from "capz-windows-kit/untyped";
import type { Plan } from "../../plan/model/plan";
import { azureTypes, withoutTypes } from "../azure/azureTypes";
import { refusedBodies } from "../azure/refusedBodies";
import { ApiServer } from "../apiserver/client";
import { Applier, namespace } from "../apiserver/applier";
import { loadCrdValidators } from "../support/crdSchemas";
import { planInline } from "../support/inlinePlans";
import { objectsOf } from "../support/plans";
import { rightConfig } from "../support/rightConfigs";
import { sampleSize } from "capz-windows-test-kit/sample";

/**
 * A sample of the right configs is planned completely. Its objects are validated against the CRDs and by an API server,
 * where they are available. CAPZ_WINDOWS_SEED repeats a run.
 */
const size = sampleSize;
const seed = Number(process.env.CAPZ_WINDOWS_SEED ?? Date.now() % 2 ** 31);
const crds = process.env.CAPZ_WINDOWS_CRDS;
const kubeconfig = process.env.CAPZ_WINDOWS_KUBECONFIG;

const custom = (object: KubernetesObject): boolean => object.apiVersion.includes("cluster.x-k8s.io");

const names = (objects: readonly KubernetesObject[]): string[] =>
  objects.map(({ metadata }) => metadata.name).sort();

/** Expects what must hold for every plan, whatever the config. */
function expectConsistent({ settings, objects, update }: Plan): void {
  const plan = { objects } as Plan;
  const pools = { ...settings.linuxPools, ...settings.windowsPools };
  const [cluster] = objectsOf(plan, "Cluster");
  const [azureCluster] = objectsOf(plan, "AzureCluster");
  const delivered = objects.workload.flatMap((stream) => stream.objects);
  const installation = delivered.find(({ kind }) => kind === "Installation");
  const isWindows = (object: KubernetesObject) => JSON.stringify(object.spec).includes('"osType":"Windows"');
  const machines = [...objectsOf(plan, "MachinePool"), ...objectsOf(plan, "MachineDeployment")];
  expect(names(machines)).toEqual(Object.keys(pools).sort());
  // Each Windows pool has one infrastructure object, a scale set or a template.
  expect(
    objectsOf(plan, "AzureMachinePool").concat(objectsOf(plan, "AzureMachineTemplate")).filter(isWindows),
  ).toHaveLength(Object.keys(settings.windowsPools).length);
  for (const { kind, metadata, spec } of machines) {
    const { windowsPools } = settings;
    expect(kind).toBe(windowsPools[metadata.name]?.kind ?? "MachinePool");
    const { autoscale, replicas, kubernetesVersion } = pools[metadata.name]!;
    expect(spec).toMatchObject({ template: { spec: { version: kubernetesVersion } } });
    expect((spec as { replicas?: number }).replicas).toBe(autoscale ? undefined : replicas);
  }
  expect(objectsOf(plan, "KubeadmControlPlane")[0]!.spec).toMatchObject({
    replicas: settings.controlPlane.replicas,
    version: settings.kubernetesVersion,
  });
  expect(cluster!.spec).toMatchObject({
    clusterNetwork: {
      pods: { cidrBlocks: [settings.network.podCidr] },
      services: { cidrBlocks: [settings.network.serviceCidr] },
    },
  });
  expect(azureCluster!.spec).toMatchObject({
    networkSpec: { vnet: { cidrBlocks: [settings.network.vnetCidr] } },
  });
  const podMtu = settings.network.mtu - 50;
  const text = (name: string) => JSON.stringify(delivered.find(({ metadata }) => metadata.name === name));
  switch (settings.platform.cni) {
    case "flannel":
      expect(text("kube-flannel-linux")).toContain(`"FLANNEL_MTU=${podMtu}"`);
      break;
    case "calico-manifests":
      expect(text("calico-config-windows")).toContain(`\\"mtu\\": ${podMtu},`);
      break;
    case "none":
      expect(installation).toBeUndefined();
      break;
    default:
      expect(installation!.spec).toMatchObject({ calicoNetwork: { mtu: podMtu } });
  }
  // What the plan says about the MTU is what machines are told.
  const { linux, windows } = expectedMtus(settings.platform.cni, settings.network.mtu);
  const keeper = delivered.find(
    ({ kind, metadata }) => kind === "DaemonSet" && metadata.name === "windows-mtu",
  );
  const sizes = ["-HostMtu", String(windows.host.bytes), "-PodMtu", String(windows.pod.bytes)];
  expect(strings(at(list(at(keeper, "spec", "template", "spec", "containers"))[0], "args")).slice(2)).toEqual(
    settings.platform.flavor === "containerd" ? sizes : [],
  );
  for (const object of [...objectsOf(plan, "KubeadmControlPlane"), ...objectsOf(plan, "KubeadmConfig")]) {
    const content = JSON.stringify(object);
    expect(content.includes(`set-mtu.sh ${linux.host.bytes}`)).toBe(
      linux.host.from === "set-mtu.sh" && content.includes("/etc/kubernetes/azure.json"),
    );
    expect(content.includes(`schedule-mtu.ps1 ${sizes.join(" ")}`)).toBe(
      settings.platform.flavor === "dockershim" && content.includes("c:/k/azure.json"),
    );
  }
  const disk = settings.sampleWorkload?.disk === undefined ? [] : ["StatefulSet", "Service"];
  expect(objects.sample.map(({ object }) => object.kind).sort()).toEqual(
    settings.sampleWorkload ? ["Deployment", "Service", ...disk].sort() : [],
  );
  for (const { options, type, custom: made } of update.resources) {
    if (made && /:(ResourceGroup|VirtualNetwork|ManagedCluster)$/.test(type)) {
      expect({ type, protect: options.protect === true }).toEqual({ type, protect: settings.protect });
    }
  }
}

describe(`${size} of the right configs, seed ${seed}`, () => {
  const faults = crds === undefined ? undefined : loadCrdValidators(crds);
  const server = kubeconfig === undefined ? undefined : new ApiServer(kubeconfig);
  const configs = fc.sample(rightConfig, { numRuns: size, seed });
  const taken = new Map<string, string>();

  afterAll(() => {
    server?.close();
  });

  it.each(configs.map((config, index) => [index, config] as const))(
    "%# is planned, is consistent and its objects are valid",
    async (index, config) => {
      const plan = await planInline(config);
      expectConsistent(plan);
      expect(refusedBodies(plan)).toEqual([]);
      const management = plan.objects.management.map(({ object }) => object);
      if (faults) {
        expect(
          management
            .filter(custom)
            .flatMap((object) => faults(object).map((text) => `${object.kind}: ${text}`)),
        ).toEqual([]);
      }
      if (server) {
        const applier = new Applier(server, `s${process.pid}-${index}-`, taken);
        try {
          const delivered = [
            ...plan.objects.workload.flatMap(({ objects }) => objects),
            ...plan.objects.sample.map(({ object }) => object),
          ];
          expect(await applier.refused(management)).toEqual([]);
          expect(
            await applier.refused([namespace("kube-system"), namespace("default"), ...delivered]),
          ).toEqual([]);
        } finally {
          await applier.removeAll();
        }
      }
    },
  );

  if (azureTypes === undefined) {
    it.skip(withoutTypes, () => undefined);
  }
  for (const [validator, variable, there] of [
    ["the CRDs", "CAPZ_WINDOWS_CRDS", crds],
    ["a real API server", "CAPZ_WINDOWS_KUBECONFIG", kubeconfig],
  ]) {
    if (there === undefined) {
      it.skip(`skipped: validation by ${validator!}, which needs ${variable!}`, () => undefined);
    }
  }
});
