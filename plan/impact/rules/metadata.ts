import { isPoolPatch } from "../../model/cluster/parts";
import { isWithin } from "../../model/components";
import { isPatch, isProvider } from "../../model/resourceTypes";
import { at } from "capz-windows-kit/untyped";
import type { Difference } from "../differences";
import { formatChange, formatList, pluralize } from "../format";
import { within, type ImpactRule } from "../impactRule";

/** What does not affect anything that is running. */

const tagPath = /^(tags|spec\.additionalTags)(\.|\[|$)/;

/** Annotations that Pulumi and the program read. */
const isOwnAnnotation = (name: string): boolean => /^(pulumi\.com|capz-windows)\//.test(name);

/** A patch that sets nothing but annotations. */
const isAnnotationPatch = ({ resource, base, head }: Difference): boolean =>
  isPatch(resource) && !isPoolPatch(resource) && at((head ?? base)?.inputs, "spec") === undefined;

/** Other parts that go have lines of their own. */
const isOfCluster = (difference: Difference): boolean =>
  difference.kind === "delete" && within("cluster")(difference);

/** The path of one annotation, or of all of them where an object has no others. */
const isOwnPath = ({ path, property }: Difference): boolean =>
  isOwnAnnotation(/^metadata\.annotations\["(.*)/.exec(path)?.[1] ?? "") ||
  (path === "metadata.annotations" &&
    [property?.before, property?.after].every((value) => Object.keys(value ?? {}).every(isOwnAnnotation)));

/** Without the component that only refuses a destroy. */
const objects = (differences: readonly Difference[]): Difference[] =>
  differences.filter(({ custom }) => custom);

const names = (differences: readonly Difference[]): string[] => [
  ...new Set(differences.map(({ resource }) => resource.name)),
];

const optionText = ({ path, property }: Difference): string =>
  path === "version" ? `version ${formatChange(property?.before, property?.after)}` : path;

const isOption =
  (name: string) =>
  ({ option, path }: Difference): boolean =>
    option && path.startsWith(name);

export const metadataRules: readonly ImpactRule[] = [
  {
    id: "tags",
    severity: "metadata",
    source: "CAPZ v1.27.0 azure/services/tags, azure/types.go (a tag is no difference of the model)",
    per: "stack",
    match: ({ type, path, kind, option }) =>
      !option && kind === "update" && type !== "AzureMachineTemplate" && tagPath.test(path),
    what: (matched) => {
      const keys = [
        ...new Set(
          matched.flatMap(({ path, property }) =>
            /^(tags|spec\.additionalTags)$/.test(path)
              ? Object.keys(property?.after ?? property?.before ?? {})
              : [path.replace(tagPath, "").replace(/^"|"\]$/g, "")],
          ),
        ),
      ];
      return `Azure tags change on ${pluralize(names(matched).length, "resource")}: ${formatList(keys)}`;
    },
    why: "tags change in place; scale sets do not roll for them",
  },
  {
    id: "protect-off",
    source: "https://www.pulumi.com/docs/iac/concepts/options/protect/",
    per: "stack",
    match: (difference) => isOption("protect")(difference) && difference.property?.before === true,
    explain: (matched) => {
      const all = objects(matched);
      const also = all.some(({ type }) => type === "ManagedCluster")
        ? ", also of the management cluster"
        : "";
      return {
        what: `Deletion protection ends${also}`,
        why: `nothing happens now, but from the next run on one \`pulumi destroy\` deletes what was protected, and a change replaces it without asking: ${formatList(names(all), 6)}`,
        instead: "set protect: true again after the change that needs them unprotected",
      };
    },
  },
  {
    id: "protect-on",
    severity: "metadata",
    source: "https://www.pulumi.com/docs/iac/concepts/options/protect/",
    per: "stack",
    match: isOption("protect"),
    what: (matched) => `Protected from now on: ${formatList(names(objects(matched)), 6)}`,
    why: "Pulumi refuses to delete or replace them",
  },
  {
    id: "pulumi-options",
    severity: "metadata",
    source: "https://www.pulumi.com/docs/iac/concepts/options/",
    per: "stack",
    match: ({ option }) => option,
    what: (matched) =>
      `Pulumi treats ${formatList(names(matched))} differently: ${formatList([...new Set(matched.map(optionText))])}`,
    why: "options belong to Pulumi; what another version of a provider does a plan cannot show: read its release notes and run `pulumi preview`",
  },
  {
    id: "pulumi-annotations",
    severity: "metadata",
    source: "@pulumi/kubernetes 4 provider/pkg/metadata (annotations that the provider reads)",
    per: "stack",
    match: (difference) =>
      !difference.option &&
      (isWithin(difference.resource.urn, "UpgradeOrder") ||
        ((difference.kind === "create" || isOfCluster(difference)) && isAnnotationPatch(difference)) ||
        isOwnPath(difference)),
    what: (matched) => `What \`pulumi up\` waits for changes: ${formatList(names(matched))}`,
    why: "only Pulumi's Kubernetes provider reads these annotations",
  },
];

/** Providers that no other rule explains. */
export const providerRules: readonly ImpactRule[] = [
  {
    id: "pulumi-provider",
    severity: "metadata",
    source: "https://www.pulumi.com/docs/iac/concepts/resources/providers/",
    per: "resource",
    match: ({ resource, kind }) => isProvider(resource.type) && (kind === "create" || kind === "delete"),
    what: ([{ kind, resource }]) =>
      `Pulumi ${kind === "delete" ? "no longer needs the provider" : "uses the provider"} ${resource.name} (${resource.type.replace("pulumi:providers:", "")})`,
    why: "it runs beside the program, and has nothing in Azure or in a cluster",
  },
];
