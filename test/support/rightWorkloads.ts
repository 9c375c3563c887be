import fc from "fast-check";

type Raw = Record<string, unknown>;

/** Values of `workloads`, some of which need Windows pools or newer Kubernetes versions. */
export const workloadWishes = fc.record(
  {
    runtimeClasses: fc.boolean(),
    hyperV: fc.boolean(),
    policy: fc.constantFrom("none", "audit", "warn", "deny"),
    hostProcessNamespaces: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const minorOf = (version: string): number => Number(version.split(".")[1]);

/** Keeps only the values of `workloads` that the cluster supports. */
export function withWorkloads(config: Raw): Raw {
  const { windowsPools = {}, flavor, kubernetesVersion, workloads = {} } = config;
  const hasPools = Object.keys(windowsPools as Raw).length > 0;
  const { runtimeClasses, hyperV, policy, hostProcessNamespaces } = workloads as Raw;
  const hasClasses = hasPools && flavor !== "dockershim";
  const hasPolicy = hasPools && minorOf(String(kubernetesVersion)) >= 30;
  const own = {
    ...(runtimeClasses === undefined ? {} : { runtimeClasses: hasClasses && runtimeClasses }),
    ...(hyperV === undefined ? {} : { hyperV: hasClasses && runtimeClasses !== false && hyperV }),
    ...(policy === undefined ? {} : { policy: hasPolicy ? policy : "none" }),
    ...(hostProcessNamespaces === undefined || !hasPolicy || policy === "none"
      ? {}
      : { hostProcessNamespaces }),
  };
  return { ...config, workloads: own };
}
