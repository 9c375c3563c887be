import { diagnose } from "../../commands/doctor/diagnose";
import type { Finding } from "../../commands/doctor/diagnosis";
import { addons } from "./catalogue/addons";
import { azureIdentities } from "./catalogue/azureIdentities";
import { azureMachines } from "./catalogue/azureMachines";
import { azureNetworks } from "./catalogue/azureNetworks";
import { clusterApi } from "./catalogue/clusterApi";
import { kubernetes } from "./catalogue/kubernetes";
import type { Told } from "./catalogue/told";
import { windows } from "./catalogue/windows";
import { patient } from "./patient";

/** Each list of texts that a component can write: the doctor names each, through everything that it does. */
const sources: Readonly<Record<string, readonly Told[]>> = {
  "Azure, machines": azureMachines,
  "Azure, networks and the resource group": azureNetworks,
  "Azure, logins and roles": azureIdentities,
  "Cluster API and CAPZ": clusterApi,
  "Kubernetes: kubelet, scheduler, controllers": kubernetes,
  "Windows: containerd, HCS, HNS, kube-proxy": windows,
  "Calico, CSI, autoscaler, cert-manager, cloud provider": addons,
};

function findings({ make }: Told): readonly Finding[] {
  const p = patient();
  make(p);
  return diagnose(p.snapshot()).findings;
}

const print = ({ id, scope, cause, remedy }: Finding): string =>
  `${id} (${scope}): ${cause}\n    ${remedy.join("\n    ")}`;

const isRight = ({ cause, remedy }: Told, first: Finding | undefined): boolean =>
  first !== undefined && cause.test(first.cause) && first.remedy.some((line) => remedy.test(line));

describe.each(Object.entries(sources))("%s", (_, told) => {
  it.each(told.map((one) => [one.name, one] as const))("%s", (__, one) => {
    const [first, ...others] = findings(one);
    if (first?.id !== one.rule || !isRight(one, first)) {
      throw new Error(
        `expected ${one.rule}, ${String(one.cause)}, remedy ${String(one.remedy)}; the doctor says:\n  ${[first, ...others].map((each) => each && print(each)).join("\n  ") || "nothing"}`,
      );
    }
    // Nothing in braces that nobody filled in.
    expect(
      [first.cause, ...first.remedy].filter((text) => /undefined|\{\w+\}|\(not named\)/.test(text)),
    ).toEqual([]);
  });
});
