import fc from "fast-check";
import { cpus, memoryBytes } from "capz-windows-kit/quantity";
import { vmResources } from "capz-windows-platform/machines/vmSizes";
import { deploymentObject, diskObjects, serviceObject } from "../../../components/sampleWorkload/manifests";
import { sampleWorkload } from "../../../config/schema/sampleWorkload";

const args = {
  windowsServer: "2022",
  replicas: 1,
  requests: { cpu: "100m", memory: "300Mi" },
  limits: { cpu: "1", memory: "800Mi" },
  allowedCidrs: ["203.0.113.0/24"],
};
const podOf = (change: Partial<typeof args>) => deploymentObject({ ...args, ...change }).spec.template.spec;

describe("IIS", () => {
  it.each([
    ["2019", "10.0.17763"],
    ["2022", "10.0.20348"],
    ["2025", "10.0.26100"],
  ])("for Windows Server %s is of that release and lands on nothing else", (windowsServer, build) => {
    const { containers, nodeSelector } = podOf({ windowsServer });
    expect(containers[0]!.image).toBe(
      `mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc${windowsServer}`,
    );
    expect(nodeSelector).toEqual({
      "kubernetes.io/os": "windows",
      "node.kubernetes.io/windows-build": build,
    });
  });

  it("keeps its selector when the release changes: a Deployment's selector is immutable", () => {
    const selector = (windowsServer: string) => deploymentObject({ ...args, windowsServer }).spec.selector;
    expect(selector("2025")).toEqual(selector("2022"));
  });

  it("is selected by its Service, which admits only the networks that may reach the cluster", () => {
    const { spec } = serviceObject({ ...args, serviceType: "LoadBalancer", internal: false });
    expect(deploymentObject(args).spec.template.metadata.labels).toEqual(spec.selector);
    expect(spec.loadBalancerSourceRanges).toEqual(["203.0.113.0/24"]);
    expect(podOf({}).containers[0]!.ports).toEqual([{ containerPort: spec.ports[0]!.targetPort }]);
  });

  it("behind an internal load balancer serves the VNET, which networks outside of it do not limit", () => {
    const { metadata, spec } = serviceObject({ ...args, serviceType: "LoadBalancer", internal: true });
    expect(metadata).toMatchObject({
      annotations: { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" },
    });
    expect(spec).not.toHaveProperty("loadBalancerSourceRanges");
  });

  it("without a load balancer has no networks of one, which the API server would refuse", () => {
    const { spec } = serviceObject({ ...args, serviceType: "ClusterIP", internal: false });
    expect(spec).toMatchObject({ type: "ClusterIP", ports: [{ port: 80 }] });
    expect(spec).not.toHaveProperty("loadBalancerSourceRanges");
  });

  it("is refused for another release than that of its nodes", () => {
    const image = "registry.example/iis:windowsservercore-ltsc2019";
    expect(() => deploymentObject({ ...args, image })).toThrow(
      "registry.example/iis:windowsservercore-ltsc2019: the image is for Windows Server 2019 (build 17763), and Windows Server 2022 starts build 20348 only; write an image for Windows Server 2022",
    );
    expect(() => deploymentObject({ ...args, image, windowsServer: "2019" })).not.toThrow();
  });

  it("can have a disk that outlives its pods, and shows when they started", () => {
    const { statefulSet, service } = diskObjects(args, { storageClass: "managed-csi" });
    const { template, volumeClaimTemplates, serviceName } = statefulSet.spec;
    expect(volumeClaimTemplates).toEqual([
      {
        metadata: { name: "data" },
        spec: {
          ...{ accessModes: ["ReadWriteOnce"], storageClassName: "managed-csi" },
          resources: { requests: { storage: "4Gi" } },
        },
      },
    ]);
    expect(service).toMatchObject({ metadata: { name: serviceName }, spec: { clusterIP: "None" } });
    expect(service.spec.selector).toEqual(template.metadata.labels);
    const [container] = template.spec.containers;
    expect(container).toMatchObject({ volumeMounts: [{ name: "data", mountPath: "C:\\data" }] });
    expect(container!.command!.join(" ")).toContain("C:\\data\\starts.txt");
    // Its labels differ from those of the first sample, whose Service would select its pods otherwise.
    expect(template.metadata.labels).not.toEqual(deploymentObject(args).spec.template.metadata.labels);
  });

  it("is refused with memory in thousandths of a byte, or with requests above limits", () => {
    const memory = (requests: string, limits: string) => () =>
      podOf({ requests: { cpu: "1", memory: requests }, limits: { cpu: "1", memory: limits } });
    expect(memory("300m", "800m")).toThrow("300m is not a memory size in whole Mi or Gi, such as 800Mi");
    expect(memory("300Mi", "800m")).toThrow("800m is not a memory size in whole Mi or Gi, such as 800Mi");
    expect(memory("801Mi", "800Mi")).toThrow("requests are larger than limits");
    expect(memory("800Mi", "800Mi")).not.toThrow();
    expect(() => podOf({ requests: { cpu: "1.1", memory: "1Mi" } })).toThrow(
      "requests are larger than limits",
    );
  });
});

describe("a quantity", () => {
  it("of memory is whole Mi or Gi", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (n) => {
        expect(memoryBytes(`${n}Gi`)).toBe(memoryBytes(`${n * 1024}Mi`));
        expect(memoryBytes(`${n}Mi`)).toBe(n * 1_048_576);
        for (const suffix of ["m", "", "M", "G", "Ki", "mi", "MB"]) {
          expect(() => memoryBytes(`${n}${suffix}`)).toThrow(RangeError);
        }
      }),
    );
  });

  it("of CPUs is a number or thousandths", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64_000 }), (n) => {
        expect(cpus(`${n}m`)).toBeCloseTo(cpus(String(n / 1000)), 9);
      }),
    );
    for (const wrong of ["0", "0.0", "0m", "-1", "1Mi", "", ".5", "1.5m"]) {
      expect(() => cpus(wrong)).toThrow(RangeError);
    }
  });

  it("that the schema accepts is accepted by the builders", () => {
    const text = fc.stringMatching(/^[0-9.]{1,4}(m|Mi|Gi)?$/);
    fc.assert(
      fc.property(text, text, (cpu, memory) => {
        const parsed = sampleWorkload.safeParse({ limits: { cpu, memory } });
        if (parsed.success) {
          expect(cpus(cpu)).toBeGreaterThan(0);
          expect(memoryBytes(memory)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

it.each([
  ["Standard_D4s_v5", { cpus: 4, memoryGiB: 16 }],
  ["Standard_D2_v3", { cpus: 2, memoryGiB: 8 }],
  ["Standard_E8ds_v4", { cpus: 8, memoryGiB: 64 }],
  ["Standard_F2s_v2", { cpus: 2, memoryGiB: 4 }],
  ["Standard_D4ls_v5", { cpus: 4, memoryGiB: 8 }],
  // Sizes whose names follow other rules, so that their resources are unknown.
  ["Standard_DS3_v2", undefined],
  ["Standard_D11_v2", undefined],
  ["Standard_E8-4s_v5", undefined],
  ["Standard_B2ms", undefined],
])("the size %s has %j", (size, resources) => {
  expect(vmResources(size)).toEqual(resources);
});
