import type { KubernetesObject } from "capz-types";
import { calicoResources, type CalicoArgs } from "../../addons/calico";
import { calicoOperatorManifest, calicoVersions, defaultCalicoVersion } from "../../addons/calicoReleases";
import { packResources } from "../../components/clusterResourceSet/manifests";
import { cacheFileName, loadPinnedManifest } from "../../addons/pinnedManifest";
import type { VirtualNetwork } from "../../components/virtualNetwork/virtualNetwork";
import { addonSets } from "../../program/addonArgs";
import type { Run } from "../../program/run";
import { settingsWith } from "../support/stacks";
import { calicoArgs as args, find, objectsOf, operatorFixture, titles, type Toleration } from "./fixtures";

interface Installation extends KubernetesObject {
  spec: {
    controlPlaneTolerations: Toleration[];
    typhaDeployment: { spec: { template: { spec: { tolerations: Toleration[] } } } };
  };
}

/** The overrides of a pool with a patch of the spec of one of its objects. */
const overriding = (kind: string, spec: object) => ({ overrides: { [kind]: { spec } } });

const stream = calicoResources(args);
const objects = objectsOf(stream);

describe("the Calico release", () => {
  it.each([
    ["v1.30.14", "v3.31.7"],
    ["v1.34.99", "v3.31.7"],
    ["v1.35.0", "v3.32.1"],
    ["1.36.1", "v3.32.1"],
  ])("for Kubernetes %s is %s", (kubernetes, calico) => {
    expect(defaultCalicoVersion(kubernetes)).toBe(calico);
  });

  it("is refused where no manifest is pinned", () => {
    expect(() => calicoOperatorManifest("v3.29.4")).toThrow(
      "Calico v3.29.4 is not pinned; use one of v3.30.7, v3.31.7, v3.32.1.",
    );
    expect(() => defaultCalicoVersion("latest")).toThrow(
      "latest is not a Kubernetes version; use v1.MINOR.PATCH.",
    );
  });

  it("leads to the manifest of its tag", () => {
    for (const version of calicoVersions) {
      const pinned = calicoOperatorManifest(version);
      expect(pinned.url).toContain(`/calico/${version}/manifests/tigera-operator.yaml`);
      expect(pinned.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(cacheFileName(pinned)).toBe(`tigera-operator-${version}.yaml`);
    }
  });
});

describe("Calico's stream", () => {
  it("has all objects in the order in which they must be applied, and the namespace once", () => {
    expect(titles(objects)).toEqual([
      "Namespace tigera-operator",
      "ConfigMap kubernetes-services-endpoint",
      "ServiceAccount tigera-operator",
      "Deployment tigera-operator",
      "IPAMConfig default",
      "Installation default",
      "APIServer default",
    ]);
    expect(objects[0]?.metadata.labels).toEqual({ from: "manifest" });
  });

  it("tells the operator where the API server is, the port as a text", () => {
    expect(find(objects, "ConfigMap", "kubernetes-services-endpoint")).toMatchObject({
      metadata: { namespace: "tigera-operator" },
      data: {
        KUBERNETES_SERVICE_HOST: "demo-1a2b3c.westeurope.cloudapp.azure.com",
        KUBERNETES_SERVICE_PORT: "6443",
      },
    });
  });

  it("carries the MTU and what Windows nodes demand", () => {
    expect(find(objects, "Installation", "default").spec).toMatchObject({
      cni: { type: "Calico", ipam: { type: "Calico" } },
      calicoNetwork: {
        bgp: "Disabled",
        windowsDataplane: "HNS",
        mtu: 1350,
        ipPools: [{ cidr: "192.168.0.0/16", blockSize: 25, encapsulation: "VXLAN" }],
      },
      serviceCIDRs: ["10.96.0.0/12"],
    });
    expect(find(objects, "IPAMConfig", "default").spec).toEqual({
      autoAllocateBlocks: true,
      strictAffinity: true,
    });
    expect(find(objects, "APIServer", "default").apiVersion).toBe("operator.tigera.io/v1");
  });

  it("leaves out a block size that is Calico's default, as for a cluster that has it", () => {
    expect(stream).toContain("blockSize: 25");
    expect(calicoResources({ ...args, blockSize: 26 })).not.toContain("blockSize");
  });

  it("lets Typha and Calico's controllers run on a lone control plane node, Typha not on every tainted one", () => {
    const { spec } = find(objects, "Installation", "default") as Installation;
    const controlPlane = {
      key: "node-role.kubernetes.io/control-plane",
      operator: "Exists",
      effect: "NoSchedule",
    };
    expect(spec.controlPlaneTolerations).toContainEqual(controlPlane);
    const typha = spec.typhaDeployment.spec.template.spec;
    expect(typha.tolerations).toContainEqual(controlPlane);
    expect(
      typha.tolerations.filter(({ key, effect }) => key === undefined && effect !== "NoExecute"),
    ).toEqual([]);
  });

  it("leaves VXLAN's network identifier and adapter to Calico", () => {
    expect(stream).not.toContain("FelixConfiguration");
    expect(stream).not.toContain("windowsNodes");
  });

  it("takes the address of the interface with the default gateway where machines have several", () => {
    expect(stream).not.toContain("nodeAddressAutodetectionV4");
    const given = objectsOf(calicoResources({ ...args, severalInterfaces: true }));
    expect(find(given, "Installation", "default").spec).toMatchObject({
      calicoNetwork: { nodeAddressAutodetectionV4: { canReach: "168.63.129.16" } },
    });
  });

  it.each([
    [{ kind: "MachineDeployment" }, false],
    [{ additionalNetworkInterfaces: [{}] }, true],
    [overriding("AzureMachinePool", { template: { networkInterfaces: [{}, {}] } }), true],
    [overriding("AzureMachinePool", { template: { networkInterfaces: [{}] } }), false],
    [
      {
        kind: "MachineDeployment",
        ...overriding("AzureMachineTemplate", { template: { spec: { networkInterfaces: [{}, {}] } } }),
      },
      true,
    ],
  ])("with the Windows pool %j, machines have several interfaces: %s", (pool, several) => {
    const settings = settingsWith({ windowsPools: { win1: pool } });
    const { severalInterfaces } = addonSets(settings, { mtu: 1400 } as unknown as VirtualNetwork, {} as Run);
    expect(severalInterfaces).toBe(several);
  });

  it.each([
    [{ podMtu: 1350.5 }, "podMtu is 1350.5; write a whole number from 1280 to 9000."],
    [{ podMtu: NaN }, "podMtu is NaN"],
    [{ apiServerPort: 0 }, "apiServerPort is 0"],
  ])("refuses %j", (wrong, message) => {
    expect(() => calicoResources({ ...args, ...wrong })).toThrow(message);
  });

  it("has no text that would be substituted, and fits into one key of one ConfigMap", () => {
    expect(stream).not.toContain("${");
    const packed = packResources({
      name: "demo-calico",
      namespace: "demo",
      clusterSelector: { cni: "demo" },
      entries: [{ key: "calico", yaml: stream }],
    });
    expect(packed.configMaps.map(({ data }) => Object.keys(data))).toEqual([["01-calico"]]);
  });
});

describe("Azure's metadata service and wire server", () => {
  const policies = (azureMetadata: CalicoArgs["azureMetadata"]) =>
    objectsOf(calicoResources({ ...args, azureMetadata })).slice(-2);

  it("are denied to pods by a tier that passes on everything else, after the NetworkPolicies of Kubernetes", () => {
    const [tier, policy] = policies({ blocked: true, allowedNamespaces: [] });
    expect(tier).toMatchObject({ kind: "Tier", spec: { order: 2_000_000, defaultAction: "Pass" } });
    expect(policy).toEqual({
      apiVersion: "crd.projectcalico.org/v1",
      kind: "GlobalNetworkPolicy",
      metadata: {
        name: `${tier!.metadata.name}.azure-metadata`,
        labels: { "projectcalico.org/tier": tier!.metadata.name },
      },
      spec: {
        tier: tier!.metadata.name,
        selector: "has(projectcalico.org/namespace)",
        types: ["Egress"],
        egress: [
          {
            action: "Deny",
            protocol: "TCP",
            destination: { nets: ["168.63.129.16/32"], ports: [80, 32_526] },
          },
          { action: "Deny", protocol: "TCP", destination: { nets: ["169.254.169.254/32"], ports: [80] } },
        ],
      },
    });
  });

  it("are open to pods of the namespaces that are named", () => {
    const [, policy] = policies({ blocked: true, allowedNamespaces: ["a", "b"] });
    expect(policy!.spec).toMatchObject({
      selector: "has(projectcalico.org/namespace) && projectcalico.org/namespace not in {'a', 'b'}",
    });
  });

  it("are open again when the policy is switched off, because a ClusterResourceSet deletes nothing", () => {
    const [, policy] = policies({ blocked: false, allowedNamespaces: [] });
    expect(policy!.spec).toMatchObject({ egress: [{ action: "Pass" }] });
  });
});

describe("the operator's Deployment", () => {
  it("asks the node's resolver, stays on the control plane and does not come back to a cordoned node; no other byte of the manifest changes", () => {
    const [, ...rest] = operatorFixture
      .replace("ClusterFirstWithHostNet", "Default")
      .replace(
        "kubernetes.io/os: linux\n",
        'kubernetes.io/os: linux\n        node-role.kubernetes.io/control-plane: ""\n',
      )
      .replace(
        `
        - effect: NoSchedule
          operator: Exists
`,
        `
        - key: node-role.kubernetes.io/control-plane
          operator: Exists
          effect: NoSchedule
        - key: node.kubernetes.io/not-ready
          operator: Exists
          effect: NoSchedule
`,
      )
      .split("---\n");
    expect(stream).toContain(rest.join("---\n"));
  });

  const changed = (field: string, expected: string) =>
    `Deployment tigera-operator of the Calico operator manifest has ${field}, expected ${expected}. Find out what has changed in this release before you pin it.`;
  const tolerations = (effect: string) =>
    `[{"effect":"NoExecute","operator":"Exists"},{"effect":"${effect}","operator":"Exists"}]`;

  it.each<[string, string | RegExp, string, string | RegExp]>([
    [
      "another policy",
      "ClusterFirstWithHostNet",
      '"ClusterFirst"',
      changed("dnsPolicy ClusterFirst", "ClusterFirstWithHostNet"),
    ],
    [
      "other tolerations",
      "effect: NoSchedule",
      "effect: PreferNoSchedule",
      changed(`tolerations ${tolerations("PreferNoSchedule")}`, tolerations("NoSchedule")),
    ],
    ["no tolerations", "tolerations:", "tolerated:", /has tolerations none, expected/],
    ["no choice of nodes", "nodeSelector:", "nodeSelected:", /has nodeSelector none, expected/],
    ["no policy", / +dnsPolicy.*\n/, "", /has dnsPolicy none, expected/],
    ["no Deployment", "kind: Deployment", "kind: DaemonSet", /has no Deployment tigera-operator/],
    ["another name", /name: tigera-operator/g, "name: calico", /has no Deployment/],
    ["no Namespace", "kind: Namespace", "kind: Secret", /has no Namespace tigera-operator/],
    ["broken YAML", "hostNetwork:", "hostNetwork: [", /is not YAML/],
    ["no text", /[^]*/, "", /has no Deployment tigera-operator/],
  ])("stops the program when the manifest has %s", (_, before, after, message) => {
    const operatorManifest = operatorFixture.replace(before, after);
    expect(() => calicoResources({ ...args, operatorManifest })).toThrow(message);
  });
});

describe("an offline plan without the manifest", () => {
  it("shows the placeholder in its place, and stays a stream of objects", async () => {
    const pinned = calicoOperatorManifest("v3.31.7");
    const { text } = await loadPinnedManifest(pinned, { offline: true });
    const planned = calicoResources({ ...args, operatorManifest: text });
    expect(titles(objectsOf(planned))).toEqual([
      "Namespace tigera-operator",
      "ConfigMap kubernetes-services-endpoint",
      "IPAMConfig default",
      "Installation default",
      "APIServer default",
    ]);
    const at = planned.indexOf(text);
    expect(at).toBeGreaterThan(planned.indexOf("kubernetes-services-endpoint"));
    expect(at).toBeLessThan(planned.indexOf("IPAMConfig"));
    expect(calicoResources({ ...args, operatorManifest: text.trimEnd() })).toBe(planned);
  });
});
