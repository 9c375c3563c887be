import type { Problem } from "capz-windows-kit/problem";
import { concerns, managementOnlyProblems } from "./managementStack";
import { olderRules } from "./olderRules";
import { parseConfig } from "./parse";
import { atOrigin } from "./poolDefaults";
import { accessRules } from "./rules/access";
import { addonRules } from "./rules/addons";
import { apiServerRules } from "./rules/apiServer";
import { auditRules } from "./rules/audit";
import { authenticationRules } from "./rules/authentication";
import { autoscalerRules } from "./rules/autoscaler";
import { bastionRules } from "./rules/bastion";
import { bootstrapRules } from "./rules/bootstrap";
import { calicoRules } from "./rules/calico";
import { commandRules } from "./rules/commands";
import { containerRegistryRules } from "./rules/containerRegistries";
import { credentialRules } from "./rules/credentials";
import { egressRules } from "./rules/egress";
import { customRoleRules } from "./rules/customRoles";
import { encryptionRules } from "./rules/encryption";
import { existingNetworkRules } from "./rules/existingNetwork";
import { fileRules } from "./rules/files";
import { extraManifestRules } from "./rules/extraManifests";
import { healthRules } from "./rules/health";
import { imageDigestRules } from "./rules/imageDigests";
import { imageRules } from "./rules/images";
import { kubeletCertificateRules } from "./rules/kubeletCertificates";
import { machineExtraRules } from "./rules/machineExtras";
import { machineOptionRules } from "./rules/machineOptions";
import { machineRules } from "./rules/vmSizes";
import { managementRules } from "./rules/management";
import { managementNetworkRules } from "./rules/managementNetwork";
import { mtuRules } from "./rules/mtu";
import { namespaceRules } from "./rules/namespace";
import { networkRules } from "./rules/network";
import { nodeSettingRules } from "./rules/nodeSettings";
import { kubeletSettingRules } from "./rules/kubeletSettings";
import { programArgumentRules } from "./rules/programArguments";
import { outboundRules } from "./rules/outbound";
import { overrideRules } from "./rules/overrides";
import { ownNetworkRules } from "./rules/ownNetwork";
import { peeringRules } from "./rules/peerings";
import { placeholderRules } from "./rules/placeholders";
import { poolSubnetRules } from "./rules/poolSubnets";
import { podSecurityRules } from "./rules/podSecurity";
import { poolRules } from "./rules/pools";
import { sampleWorkloadRules } from "./rules/sampleWorkload";
import { versionRules } from "./rules/versions";
import { workloadRules } from "./rules/workloads";
import type { SchemaProblem } from "./schemaProblems";
import { type Settings, settingsOf } from "./settings";

const rules = [
  placeholderRules,
  networkRules,
  mtuRules,
  poolSubnetRules,
  existingNetworkRules,
  outboundRules,
  peeringRules,
  bastionRules,
  versionRules,
  (settings: Settings): Problem[] => olderRules.read().flavorRules(settings),
  imageRules,
  poolRules,
  calicoRules,
  addonRules,
  autoscalerRules,
  machineRules,
  managementRules,
  managementNetworkRules,
  accessRules,
  namespaceRules,
  egressRules,
  containerRegistryRules,
  fileRules,
  bootstrapRules,
  commandRules,
  credentialRules,
  sampleWorkloadRules,
  overrideRules,
  workloadRules,
  nodeSettingRules,
  kubeletSettingRules,
  programArgumentRules,
  machineOptionRules,
  machineExtraRules,
  healthRules,
  extraManifestRules,
  ownNetworkRules,
  auditRules,
  encryptionRules,
  customRoleRules,
  apiServerRules,
  authenticationRules,
  podSecurityRules,
  kubeletCertificateRules,
  imageDigestRules,
];

/** The paths around a path, from the outermost on. */
const around = (path: string): string[] =>
  [...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index));

/** Whether a path is equal to one of these, inside of one or around one; a stack file may have thousands of each. */
export function touching(paths: readonly string[]): (path: string) => boolean {
  const own = new Set(paths);
  const outer = new Set(paths.flatMap(around));
  return (path) => own.has(path) || outer.has(path) || around(path).some((one) => own.has(one));
}

type Config = Readonly<Record<string, unknown>>;

/** The settings of a config, and its problems. */
export interface Checked {
  readonly settings: Settings | undefined;
  readonly schema: readonly SchemaProblem[];
  /** Problems between keys, none of which is reported itself: they may only be a consequence of that. */
  readonly crossField: readonly Problem[];
}

/** Whether a problem ends or changes when another one is corrected: another flavor or version has other images. */
function following(problems: readonly Problem[]): (problem: Problem) => boolean {
  const wrong = new Set(problems.map(({ path }) => path));
  return ({ path, uses = [path] }) => {
    const [, pool = ""] = /^(\w+Pools\.[^.]+)\.(?:image|windowsServer)/.exec(path) ?? [];
    return (
      ["kubernetesVersion", "flavor"].some((key) => wrong.has(key) && path !== key && uses.includes(key)) ||
      wrong.has(`${pool}.kubernetesVersion`)
    );
  };
}

/**
 * Checks decoded values against the schema and, as far as possible, against each other: without the problems of rules that
 * depend on a value that the schema has refused.
 */
export function checkConfig(config: Config): Checked {
  const { config: parsed, problems } = parseConfig(config);
  const settings = parsed && settingsOf(parsed);
  if (settings === undefined) {
    return { settings, schema: problems, crossField: [] };
  }
  const isInvalid = touching(problems.flatMap(({ hides }) => hides ?? []));
  const isHidden = ({ path, uses = [path] }: Problem): boolean => uses.some(isInvalid);
  const found = atOrigin(
    [
      ...managementOnlyProblems(config),
      ...rules.flatMap((rule) => rule(settings)).filter(({ path }) => concerns(settings, path)),
    ],
    config,
  );
  const isConsequence = following(found);
  const crossField = found.filter((problem) => !isHidden(problem) && !isConsequence(problem));
  return { settings, schema: problems, crossField };
}
