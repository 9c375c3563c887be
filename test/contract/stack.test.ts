import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "../../config/load";
import { stackFacts } from "../../config/stackFacts";
import { projectConfig } from "../../config/stackFile";
import { stackSchema } from "capz-windows-contract";
import { recordedFacts, recordedFactsFile, recordedText } from "../support/recordedFacts";
import { factsWith, projectDir, readExample } from "../support/stacks";

const examples = readdirSync(join(projectDir, "test/stacks"))
  .map((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1])
  .filter((name) => name !== undefined);

it.each(examples)("the facts of %s are the same after they were written and read", (name) => {
  const { config, file } = readExample(name);
  const facts = stackFacts(loadSettings(projectConfig(config), file).settings);
  expect(facts.clusterName).not.toBe("");
  expect(stackSchema.parse(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
});

it.each(Object.keys(recordedFacts))(
  "the facts of %s with which packages are tested are those of today; if not, run `npm run golden`",
  (name) => {
    const recorded = readFileSync(join(projectDir, recordedFactsFile(name)), "utf8");
    expect(recorded).toBe(recordedText(recordedFacts[name]!()));
  },
);

const windowsImage = (year: string) => ({
  computeGallery: {
    gallery: "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019",
    name: `capi-win-${year}-containerd`,
    version: "1.35.6",
  },
});

it("a pool has what its machines are and what its nodes get", () => {
  const { pools } = factsWith({
    windowsPools: {
      win1: {
        ...{ vmSize: "Standard_D4ds_v5", zones: ["1", "2"], spot: {} },
        ...{ encryptionAtHost: true, ephemeralOsDisk: "CacheDisk", osDiskGB: 64 },
        labels: { "example.org/team": "web" },
        taints: [{ key: "example.org/dedicated", value: "iis" }, { key: "example.org/other" }],
        kubelet: { maxPods: 60 },
      },
      win2: { kind: "MachineDeployment", windowsServer: "2025" },
    },
  });
  expect(pools).toEqual([
    {
      ...{ name: "win1", path: "windowsPools.win1", os: "windows", kind: "MachinePool" },
      ...{ computerNamePrefix: "win1", vmSize: "Standard_D4ds_v5", zones: ["1", "2"] },
      ...{ spot: true, encryptionAtHost: true, identityIds: [] },
      image: windowsImage("2022"),
      ephemeralOsDisk: { placement: "CacheDisk", diskGB: 64 },
      ...{ windowsServer: "2022", windowsBuild: "10.0.20348", maxPods: 60, reservedMemory: "2Gi" },
      labels: { "example.org/team": "web" },
      taints: [
        { key: "example.org/dedicated", value: "iis", effect: "NoSchedule" },
        { key: "example.org/other", value: "", effect: "NoSchedule" },
      ],
    },
    {
      ...{ name: "win2", path: "windowsPools.win2", os: "windows", kind: "MachineDeployment" },
      ...{ computerNamePrefix: "win2-", vmSize: "Standard_D4s_v5", zones: [] },
      ...{ spot: false, encryptionAtHost: false, identityIds: [] },
      image: windowsImage("2025"),
      ...{ windowsServer: "2025", windowsBuild: "10.0.26100", maxPods: 110, reservedMemory: "2Gi" },
      ...{ labels: {}, taints: [] },
    },
  ]);
});

it("addresses are by the key of the range of each subnet, where preflight looks them up", () => {
  const { network } = factsWith({
    network: { poolSubnets: { web: "10.10.16.0/24" } },
    linuxPools: { linux1: { replicas: 2 } },
    windowsPools: { win1: { replicas: 5, subnet: "web" } },
  });
  expect(network.addresses).toEqual({
    controlPlaneSubnetCidr: 4,
    nodeSubnetCidr: 3,
    "poolSubnets.web": 6,
  });
});
