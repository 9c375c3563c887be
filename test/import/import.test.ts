import { Pair, parseAllDocuments, Scalar, visit } from "yaml";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Refused } from "../../commands/import/findings";
import type { Imported } from "../../commands/import/importSource";
import { formatImport } from "../../commands/import/report";
import { stackFileText } from "../../commands/import/write";
import { importText, templateVariables } from "./support";

const sourceOf = (file: string): string => readFileSync(join(__dirname, "sources", file), "utf8");

const reasonOf = ({ leftOut }: Imported, from: RegExp) =>
  leftOut.filter((one) => from.test(one.from)).map(({ why, instead }) => [why, instead]);

/** Everything that is printed or written. */
const printed = (imported: Imported): string =>
  `${stackFileText(imported.config)}${formatImport(imported, "Pulumi.web.yaml")}`;

/** Arguments as v1beta2 has them. */
const argumentsOf = (pairs: string) =>
  pairs.split(" ").map((pair) => ({ name: pair.split("=")[0], value: pair.split("=")[1] }));

describe("a clusterctl template", () => {
  let imported: Imported;
  beforeAll(async () => {
    imported = await importText(sourceOf("template.yaml"), templateVariables);
  });

  test("becomes a whole stack: keys where there are some, merge patches for the rest", () => {
    expect(imported.config).toEqual({
      clusterName: "web",
      kubernetesVersion: "v1.35.6",
      azure: {
        subscriptionId: "11111111-2222-4333-8444-555555555555",
        tenantId: "11111111-2222-4333-8444-666666666666",
        location: "westeurope",
        resourceGroup: "web-group",
      },
      access: { sshPublicKey: templateVariables.AZURE_SSH_PUBLIC_KEY },
      network: { vnetCidr: "10.20.0.0/16", podCidr: "192.168.0.0/16" },
      controlPlane: {
        replicas: 3,
        vmSize: "Standard_D8s_v5",
        osDiskGB: 200,
        etcdDiskGB: 64,
        deletion: { nodeDrainTimeoutSeconds: 600 },
        overrides: {
          KubeadmControlPlane: {
            spec: {
              kubeadmConfigSpec: {
                clusterConfiguration: {
                  apiServer: {
                    // A merge patch replaces a whole list, so it repeats the arguments that the stack needs.
                    extraArgs: argumentsOf(
                      "event-ttl=2h service-account-issuer=https://kubernetes.default.svc.cluster.local",
                    ),
                  },
                },
              },
            },
          },
        },
      },
      linuxPools: {
        linux: {
          replicas: 3,
          vmSize: "Standard_D4s_v5",
          osDiskGB: 100,
          osDiskType: "StandardSSD_LRS",
          labels: { "example.org/tier": "system" },
        },
      },
      windowsPools: {
        win: {
          replicas: 2,
          zones: ["1", "2"],
          kind: "MachinePool",
          windowsServer: "2025",
          vmSize: "Standard_D4s_v3",
          osDiskGB: 150,
          osDiskType: "Premium_LRS",
          spot: { evictionPolicy: "Delete", maxPrice: "0.25" },
          rollout: { maxSurge: 2, maxUnavailable: 0 },
          taints: [{ key: "example.org/os", value: "windows", effect: "NoSchedule" }],
          kubelet: { maxPods: 60 },
          files: [
            {
              path: "C:/own.ps1",
              content: 'Write-Output "${env:COMPUTERNAME} of web"',
              permissions: "0744",
            },
          ],
          preKubeadmCommands: ["powershell C:/own.ps1"],
        },
      },
      overrides: { Cluster: { metadata: { labels: { "example.org/team": "shop" } } } },
    });
    expect(imported.open).toEqual([]);
  });

  test("has every difference between its objects and those of a plan explained", () => {
    expect(imported.unexplained).toEqual([]);
    expect(imported.fields).toEqual({ all: 61, same: 45, byControllers: 0 });
  });

  test("says why something is left out, and what to use instead", () => {
    expect(reasonOf(imported, /vmExtensions/)).toEqual([
      [
        "its settings are or may be secret, and are not copied",
        "vmExtensions, with settings that everyone may read",
      ],
    ]);
    expect(reasonOf(imported, /nodeDrainTimeoutSeconds/)).toHaveLength(1);
    expect(reasonOf(imported, /extraArgs\[audit-policy/)).toEqual([
      ["the stack file has a key for it", "controlPlane.audit"],
    ]);
    expect(reasonOf(imported, /audit/)).toHaveLength(6);
    expect(reasonOf(imported, /^Secret/)).toEqual([
      [
        "objects of the kind Secret are not read",
        "pulumi config set --secret, for the keys of docs/config.md that are secrets",
      ],
    ]);
    expect(reasonOf(imported, /create-external-network/)).toEqual([
      ["the stack writes it itself, or has another way to the same", undefined],
    ]);
  });

  test("leaves no secret anywhere", () => {
    expect(printed(imported)).not.toMatch(/must-not-be-copied/);
    expect(imported.leftOut.map(({ from }) => from)).toContain("KubeadmConfig win files[C:/token.txt]");
    expect(printed(imported)).toContain(`
  windowsPools.win.files: "C:/own.ps1"
  windowsPools.win.preKubeadmCommands: "powershell C:/own.ps1"
`);
  });

  test("copies and shows no credential, wherever the source has one", async () => {
    const documents = parseAllDocuments(sourceOf("template.yaml"));
    let planted = 0;
    for (const document of documents) {
      visit(document, {
        Map: (_, { items }) => {
          planted += 1;
          items.push(new Pair(new Scalar("password"), new Scalar(`Pl4nted${planted}xyz`)));
        },
      });
    }
    const text = documents.map(String).join("---\n");
    const found = await importText(text, templateVariables);
    expect(planted).toBeGreaterThan(50);
    expect(printed(found)).not.toContain("Pl4nted");
    expect(JSON.stringify(found.leftOut)).toContain("this looks like a password, which is not copied");
  });

  test("without values for its variables asks for them by name", async () => {
    const { config, open } = await importText(sourceOf("template.yaml"));
    expect(config).toMatchObject({
      clusterName: "<CLUSTER_NAME>",
      azure: { subscriptionId: "<AZURE_SUBSCRIPTION_ID>", location: "<AZURE_LOCATION>" },
      windowsPools: { win: { vmSize: "<AZURE_NODE_MACHINE_TYPE>" } },
    });
    expect(open.map(({ path, what }) => `${path}: ${what}`)).toEqual([
      "clusterName: CLUSTER_NAME",
      "kubernetesVersion: KUBERNETES_VERSION",
      "azure.subscriptionId: AZURE_SUBSCRIPTION_ID",
      "azure.tenantId: AZURE_TENANT_ID",
      "azure.location: AZURE_LOCATION",
      "azure.resourceGroup: CLUSTER_NAME",
      "windowsPools.win.vmSize: AZURE_NODE_MACHINE_TYPE",
      "windowsPools.win.files[0].content: CLUSTER_NAME",
      "access.sshPublicKey: contents of your .pub file",
    ]);
  });

  const withImage = (image: string): string =>
    sourceOf("template.yaml").replace(
      "    vmSize: ${AZURE_NODE",
      `    image: ${image}\n    vmSize: \${AZURE_NODE`,
    );

  test("whose image the rules refuse gets another one, with the rule's reason", async () => {
    const { leftOut, unexplained, config } = await importText(
      withImage("{ marketplace: { publisher: own, offer: o, sku: s, version: latest } }"),
      templateVariables,
    );
    expect(config).not.toHaveProperty("windowsPools.win.image");
    expect(leftOut[0]).toEqual({
      from: 'windowsPools.win.image.marketplace.version: "latest"',
      why: "each new node gets the image that is newest at that time: the nodes of a pool differ, a plan cannot show it, and no rollout follows; without it, machines get the image of CAPZ's community gallery",
      instead: "a version of the image",
    });
    expect(unexplained).toEqual([]);
  });

  test.each(["computeGallery", "sharedGallery"])(
    "keeps the newest image of its %s, whose version is asked for",
    async (kind) => {
      const { leftOut, open, unexplained, config } = await importText(
        withImage(
          `{ ${kind}: { gallery: own, name: capi-windows-2025, resourceGroup: g, subscriptionID: 5f0c9a1e-0000-4333-8444-555555555555, version: latest } }`,
        ),
        templateVariables,
      );
      expect(config).toHaveProperty("windowsPools.win.image.computeGallery", {
        ...{ gallery: "own", name: "capi-windows-2025", version: "<image version>" },
        ...{ resourceGroup: "g", subscriptionId: "5f0c9a1e-0000-4333-8444-555555555555" },
      });
      expect(open).toContainEqual({
        path: "windowsPools.win.image.computeGallery.version",
        what: "image version",
      });
      const reasons = leftOut.filter(({ from }) => from.includes("image")).map(({ why }) => why);
      expect([...new Set(reasons)]).toEqual([
        "an override may not change this: the stack file has a key for it",
      ]);
      expect(unexplained).toEqual([]);
    },
  );

  test("whose names are not allowed here gets other names, which are reported", async () => {
    const text = sourceOf("template.yaml").replaceAll("${CLUSTER_NAME}-win", "${CLUSTER_NAME}-2_WIN");
    const { config, leftOut, unexplained } = await importText(text, {
      ...templateVariables,
      CLUSTER_NAME: "2nd",
    });
    expect(config.clusterName).toBe("cluster-2nd");
    expect(Object.keys(config.windowsPools as object)).toEqual(["pool-2-win"]);
    expect(leftOut).toContainEqual({
      from: 'clusterName: "2nd"',
      why: "invalid format",
      instead: "clusterName: cluster-2nd",
    });
    expect(leftOut).toContainEqual({
      from: "MachinePool 2nd-2_WIN",
      why: "a pool's name has at most 40 lowercase letters, digits and '-', and begins with a letter",
      instead: "windowsPools.pool-2-win",
    });
    expect(unexplained).toEqual([]);
  });

  test("with two pools that would have the same name is refused with what to do", async () => {
    const one = sourceOf("template.yaml");
    const win = one.split("---\n").filter((document) => document.includes("${CLUSTER_NAME}-win"));
    const text = [one, ...win.map((document) => document.replaceAll("-win", "-WIN"))].join("---\n");
    await expect(importText(text, templateVariables)).rejects.toThrow(
      "MachinePool web-WIN would be the second pool win, because a pool's name has only lowercase letters, digits and '-', and begins with a letter: import a copy of the source in which it has another name.",
    );
  });

  test.each([
    [
      "kind: AzureManagedControlPlane",
      "AzureManagedControlPlane web-cp is a cluster of AKS: its control plane is Azure's, and this program makes clusters whose control plane is machines. docs/migrating-from-aks-engine.md#from-node-pools-of-aks says which key replaces which field of a pool.",
    ],
    [
      "kind: RKE2ControlPlane",
      "RKE2ControlPlane web-cp is not kubeadm's: images and bootstrap data of this program are for kubeadm.",
    ],
  ])("with %s is refused in words", async (kind, message) => {
    const text = sourceOf("template.yaml").replaceAll("kind: KubeadmControlPlane", kind);
    await expect(importText(text, templateVariables)).rejects.toThrow(message);
  });

  test("with a reference to an object that is missing is refused", async () => {
    const text = sourceOf("template.yaml").replace(
      "kind: AzureMachinePool\nmetadata:",
      "kind: Other\nmetadata:",
    );
    await expect(importText(text, templateVariables)).rejects.toThrow(
      "MachinePool web-win refers to AzureMachinePool web-win, which is not in the source: pass all objects of the cluster.",
    );
  });
});

describe("an apimodel", () => {
  let imported: Imported;
  beforeAll(async () => {
    imported = await importText(sourceOf("apimodel.json"), {}, "apimodel.json");
  });

  test("of a version whose images are withdrawn becomes a stack of a supported version, with all its pools", async () => {
    const old = sourceOf("apimodel.json").replace(
      /("orchestrator(?:Version|Release)": )"[^"]*"/,
      '$1"1.22.9"',
    );
    expect(old).toContain('"1.22.9"');
    const { config, leftOut } = await importText(old, {}, "apimodel.json");
    expect(config).toEqual(imported.config);
    expect(leftOut).toContainEqual({
      from: 'kubernetesVersion: "1.22.9"',
      why: "CAPZ's default image for v1.22.9 is a Marketplace image, and these are being withdrawn",
      instead: "kubernetesVersion: v1.36.5",
    });
  });

  test("becomes a stack of a supported version", () => {
    expect(imported.config).toEqual({
      clusterName: "shop",
      kubernetesVersion: "v1.36.5",
      azure: {
        location: "westeurope",
        subscriptionId: "<GUID of your subscription>",
        tenantId: "<GUID of your tenant>",
      },
      access: { sshPublicKey: templateVariables.AZURE_SSH_PUBLIC_KEY },
      network: { podCidr: "10.240.0.0/16" },
      controlPlane: { replicas: 3, vmSize: "Standard_D2s_v5" },
      linuxPools: { linuxpool: { replicas: 2, vmSize: "Standard_D4s_v3", labels: { tier: "web" } } },
      windowsPools: {
        winpool: {
          ...{ replicas: 2, vmSize: "Standard_D4s_v5", kind: "MachineDeployment", osDiskGB: 200 },
          windowsServer: "2022",
        },
      },
    });
  });

  test("has each of its other fields named with a reason", () => {
    expect(imported.leftOut.map(({ from }) => from)).toEqual([
      "kubernetesConfig.networkPlugin",
      "kubernetesConfig.containerRuntime",
      "kubernetesConfig.cloudProviderBackoff",
      "masterProfile.vmSize: Standard_D2_v3",
      "agentPoolProfiles[1].vmSize: Standard_D4_v3",
      "agentPoolProfiles[1].secretSauce",
      "windowsProfile.adminUsername",
      "windowsProfile.adminPassword",
      "windowsProfile.windowsSku",
      "linuxProfile.adminUsername",
      "servicePrincipalProfile",
      'kubernetesVersion: "v1.18.8"',
      "windowsPools.winpool.image",
    ]);
    expect(reasonOf(imported, /secretSauce/)).toEqual([
      ["this import knows no key for it", "overrides, where CAPZ or kubeadm has a field for it"],
    ]);
    expect(printed(imported)).not.toMatch(/must-not-be-copied/);
  });

  test("keeps what a stack has another key for, or names the key: licences, data disks, the release of containers", async () => {
    const text = sourceOf("apimodel.json")
      .replace('"adminUsername"', '"enableAHUB": true, "adminUsername"')
      .replace(
        '"agentPoolProfiles": [',
        '"agentPoolProfiles": [{ "name": "data", "count": 1, "vmSize": "Standard_D4s_v5", "diskSizesGB": [64] },',
      );
    const found = await importText(text);
    expect(found.config).toMatchObject({ windowsPools: { winpool: { hybridBenefit: true } } });
    expect(reasonOf(found, /diskSizesGB|windowsSku|adminPassword/)).toEqual([
      ["a data disk has a size, a place and a file system here", "dataDisks of the pool"],
      [
        "CAPZ names the administrator of machines capi, and gives Windows machines a password that nobody knows",
        "access.sshPublicKey",
      ],
      [
        "images of this program have kubelet, containerd and their tools in them; containers for another release of Windows are rebuilt (npm run workloads says which)",
        "windowsServer and image of a pool in windowsPools (docs/images.md)",
      ],
    ]);
  });

  test("keeps the GPU of a pool whose size takes no premium disks", async () => {
    const found = await importText(sourceOf("apimodel.json").replace("Standard_D4_v3", "Standard_NC6"));
    expect(reasonOf(found, /Standard_NC6/)).toEqual([
      [
        "this size takes no premium disks",
        "windowsPools.winpool.vmSize: Standard_NC4as_T4_v3, or another one whose GPU fits",
      ],
    ]);
  });

  test("of Azure Stack is refused with the reason", async () => {
    const text = sourceOf("apimodel.json").replace(
      '"orchestratorProfile"',
      '"customCloudProfile": {}, "orchestratorProfile"',
    );
    await expect(importText(text)).rejects.toThrow(
      "customCloudProfile: this cluster is on Azure Stack or in another cloud; CAPZ's machines here are in Azure's public cloud only.",
    );
  });

  test("with more pools than an import takes is refused before any of them is checked", async () => {
    const model = JSON.parse(sourceOf("apimodel.json")) as { properties: { agentPoolProfiles: unknown[] } };
    model.properties.agentPoolProfiles = Array.from({ length: 5000 }, (_, index) => ({
      name: `p${index}`,
      count: 1,
      vmSize: "no size",
    }));
    await expect(importText(JSON.stringify(model))).rejects.toThrow(
      new Refused(
        "The source has 5,000 pools, and an import takes at most 300. Import a copy with fewer pools, and add the others to the stack file by hand.",
      ),
    );
  });

  test("with too few Linux nodes for Calico gets an additional Linux pool", async () => {
    const model = JSON.parse(sourceOf("apimodel.json")) as {
      properties: { masterProfile: { count: number }; agentPoolProfiles: unknown[] };
    };
    model.properties.masterProfile.count = 1;
    model.properties.agentPoolProfiles.shift();
    const { config } = await importText(JSON.stringify(model));
    expect(config).toHaveProperty("linuxPools", { linux: { replicas: 1 } });
  });
});

test("a file of another format is refused with the list of formats", async () => {
  await expect(importText("a: 1")).rejects.toThrow(
    /^This is not a file that import reads. It reads a clusterctl template/,
  );
});
