import { loadSettings } from "../../config/load";
import { ConfigError } from "../../tools/problem";
import { faultsAtOnce, stackText } from "../support/advice";
import { minimal } from "../support/stacks";

/** Advice keeps the valid parts of what the user wrote. */

/** The lines that the report advises to write, by path. */
function advice(change: object): Record<string, string> {
  try {
    loadSettings({ ...minimal(), ...change }, "test");
    return {};
  } catch (error) {
    if (error instanceof ConfigError) {
      return Object.fromEntries(error.problems.map(({ path, write }) => [path, write]));
    }
    throw error;
  }
}

const win = (dataDisks: unknown) => ({ windowsPools: { win1: { dataDisks } } });
const linux = (dataDisks: unknown) => ({ linuxPools: { linux1: { dataDisks } } });

it.each([
  [
    "sizes alone",
    win([100, 200]),
    {
      "windowsPools.win1.dataDisks[0]": "- {name: data, sizeGB: 100, letter: F}",
      "windowsPools.win1.dataDisks[1]": "- {name: data2, sizeGB: 200, letter: G}",
    },
  ],
  [
    "sizes with a unit, beside a disk",
    linux(["100GB", { name: "data", sizeGB: 64, mountPath: "/data2" }, "9 GiB"]),
    {
      "linuxPools.linux1.dataDisks[0]": "- {name: data2, sizeGB: 100, mountPath: /data}",
      "linuxPools.linux1.dataDisks[2]": "- {name: data3, sizeGB: 9, mountPath: /data3}",
    },
  ],
  [
    "disks without a letter",
    win([{ name: "a", sizeGB: 100 }, { name: "b", letter: "F" }, { name: "c" }]),
    {
      "windowsPools.win1.dataDisks[0].letter": "letter: G",
      "windowsPools.win1.dataDisks[2].letter": "letter: H",
    },
  ],
  [
    "letters that Windows uses",
    win([
      { name: "a", letter: "C" },
      { name: "b", letter: "D" },
    ]),
    {
      "windowsPools.win1.dataDisks[0].letter": "letter: <an allowed value> # such as F",
      "windowsPools.win1.dataDisks[1].letter": "letter: <an allowed value> # such as G",
    },
  ],
  [
    "a disk that is there twice",
    win([
      { name: "a", sizeGB: 100, letter: "F" },
      { name: "a", sizeGB: 100, letter: "F" },
    ]),
    {
      "windowsPools.win1.dataDisks[1]":
        "name: data # in windowsPools.win1.dataDisks[1]; letter: G # in windowsPools.win1.dataDisks[1]",
    },
  ],
  [
    "sizes of disks for a VM size that has a problem of its own",
    { windowsPools: { win1: { vmSize: "Standard_D4", dataDisks: [100] } } },
    {
      "windowsPools.win1.vmSize": "vmSize: Standard_D4s_v5",
      "windowsPools.win1.dataDisks[0]": "- {name: data, sizeGB: 100, letter: F}",
    },
  ],
  [
    "the range of an autoscaler in the words of AKS",
    { windowsPools: { win1: { autoscaling: { minCount: 1, maxCount: 5 } } } },
    { "windowsPools.win1.autoscaling": "remove autoscaling; autoscale: {min: 1, max: 5}" },
  ],
  [
    "a repository with a tag",
    { clusterApi: { componentsRepository: "registry.example.com:5000/platform/cluster-api:v1.14.2" } },
    {
      "clusterApi.componentsRepository":
        "componentsRepository: registry.example.com:5000/platform/cluster-api",
    },
  ],
  [
    "a repository as Helm writes it",
    { clusterApi: { componentsRepository: "oci://Registry.example.com/platform/cluster-api/" } },
    { "clusterApi.componentsRepository": "componentsRepository: registry.example.com/platform/cluster-api" },
  ],
  [
    "a repository with a digest",
    { clusterApi: { componentsRepository: "registry.example.com/capi@sha256:0123abcd" } },
    { "clusterApi.componentsRepository": "componentsRepository: registry.example.com/capi" },
  ],
])("%s", (_what, change, expected) => {
  expect(advice(change)).toEqual(expected);
  expect(faultsAtOnce(stackText({ ...minimal(), ...change }))).toEqual([]);
});
