import { loadSettings } from "../../config/load";
import { existingManagement, minimal } from "../support/stacks";

const warningsWith = (clusterApi: object, more: object = {}): string[] =>
  loadSettings(
    { ...minimal(), ...existingManagement, windowsPools: { win1: {} }, ...more, clusterApi },
    "test",
  )
    .warnings.filter(({ path }) => path === "clusterApi.bootstrapTtlMinutes")
    .map(({ message }) => message);

const without = { install: false };

it("names the command that lets tokens live longer where others have installed Cluster API", () => {
  expect(warningsWith(without)).toEqual([
    "Cluster API on this management cluster is installed by others, and its bootstrap tokens live 15 minutes unless it is told otherwise. In a rollout, a Windows node whose first boot takes longer than half of the life of its token may never join, and the rollout then waits for ever. Have them live longer: kubectl get deployment capi-kubeadm-bootstrap-controller-manager -n capi-kubeadm-bootstrap-system -o json | sed 's/--bootstrap-token-ttl=[0-9a-z]*/--bootstrap-token-ttl=90m/' | kubectl replace -f -   # then write bootstrapTtlMinutes: 90",
  ]);
  expect(warningsWith({ ...without, bootstrapTtlMinutes: 20 })[0]).toContain(
    "its bootstrap tokens live 20 minutes. ",
  );
});

it("is silent where they live long enough, are long by themselves, or no scale set has Windows", () => {
  expect(warningsWith({ ...without, bootstrapTtlMinutes: 24 })).toEqual([]);
  expect(warningsWith({ install: true })).toEqual([]);
  expect(warningsWith(without, { windowsPools: { win1: { kind: "MachineDeployment" } } })).toEqual([]);
});
