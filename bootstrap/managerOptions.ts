import { goValueFault } from "capz-windows-platform/cluster/goValues";
import { isGateOn } from "capz-windows-platform/cluster/programSettings";
import { at, isRecord } from "capz-windows-kit/untyped";
import type { FieldFault } from "./kubeletConfiguration";

/**
 * Options of kubelet's managers of CPUs and of topology, which it reads for a policy that has some. Source: Kubernetes v1.33.13,
 * v1.36.3 and v1.37.2 pkg/kubelet/cm/cpumanager and topologymanager, policy_options.go; topology_manager.go, NewManager.
 */

type Configuration = Readonly<Record<string, unknown>>;

const alpha = "CPUManagerPolicyAlphaOptions";
const beta = "CPUManagerPolicyBetaOptions";
const [cores, numa, cache] = [
  "distribute-cpus-across-cores",
  "distribute-cpus-across-numa",
  "prefer-align-cpus-by-uncorecache",
];
const cpuOptions = ["full-pcpus-only", "strict-cpu-reservation", "align-by-socket", cores, numa, cache];
const excluding = ["full-pcpus-only", numa, cache].map((one) => [one, cores]).concat([[cache, numa]]);

const gateOf = (name: string, minor: number): string | undefined => {
  const isAlpha = name === "align-by-socket" || name === cores || (name === cache && minor < 34);
  if (isAlpha) {
    return alpha;
  }
  return name === numa ? beta : undefined;
};

function cpuFault(name: string, configuration: Configuration, minor: number): string | undefined {
  const gate = gateOf(name, minor);
  const isOn = (one = ""): boolean =>
    /^(?:1|t|true)$/i.test(String(at(configuration.cpuManagerPolicyOptions, one)));
  const other = excluding.find(([first, second]) => first === name && isOn(first) && isOn(second))?.[1];
  if (!cpuOptions.includes(name)) {
    return cpuOptions.join(", ");
  }
  const gates = configuration.featureGates;
  const all = gate === alpha ? at(gates, "AllAlpha") : at(gates, "AllBeta");
  const isOpen = typeof all === "boolean" ? all : isGateOn(gate ?? "", minor);
  if (gate !== undefined && (at(gates, gate) ?? isOpen) !== true) {
    return `it with the feature gate ${gate}`;
  }
  if (goValueFault("bool", String(at(configuration.cpuManagerPolicyOptions, name))) !== undefined) {
    return "true or false, in quotes";
  }
  if (
    name === "align-by-socket" &&
    isOn(name) &&
    configuration.topologyManagerPolicy === "single-numa-node"
  ) {
    return "it without topologyManagerPolicy: single-numa-node";
  }
  return other === undefined ? undefined : `it without ${other}`;
}

function topologyFault(
  name: string,
  { topologyManagerPolicyOptions: options }: Configuration,
): string | undefined {
  const value = String(at(options, name));
  if (name === "max-allowable-numa-nodes") {
    return /^\+?\d+$/.test(value) && Number(value) >= 8 ? undefined : "a number of 8 or more, in quotes";
  }
  if (name !== "prefer-closest-numa-nodes") {
    return "prefer-closest-numa-nodes, max-allowable-numa-nodes";
  }
  return goValueFault("bool", value) === undefined ? undefined : "true or false, in quotes";
}

/** Options with which kubelet does not start; without a policy that has some, it does not look at those of topology. */
export function optionFaults(configuration: Configuration, minor: number): FieldFault[] {
  const { cpuManagerPolicy, topologyManagerPolicy: policy = "" } = configuration;
  const checks = [
    { field: "cpuManagerPolicyOptions", check: cpuFault, isRead: cpuManagerPolicy === "static" },
    {
      field: "topologyManagerPolicyOptions",
      check: topologyFault,
      isRead: policy !== "" && policy !== "none",
    },
  ];
  return checks.flatMap(({ field, check, isRead }) => {
    const given = configuration[field];
    return Object.keys(isRead && isRecord(given) ? given : {}).flatMap((name) => {
      const allowed = check(name, configuration, minor);
      const problem = "kubelet does not start with it: its manager refuses the option";
      return allowed === undefined ? [] : [{ path: [field, name], problem, allowed }];
    });
  });
}
