import type { Fact } from "../facts";
import type { Row } from "../row";
import { about, find } from "../row";
import { arrow, counted, listed } from "../words";

/** What nothing that runs takes notice of. */

const tagPath = /^(tags|spec\.additionalTags)(\.|\[|$)/;

const names = (facts: readonly Fact[]): string[] => [...new Set(facts.map(({ resource }) => resource.name))];

const isOption = (name: string) => (fact: Fact) => fact.option && fact.path.startsWith(name);

export const metadataRows: readonly Row[] = [
  {
    rule: "tags",
    severity: "metadata",
    source: "CAPZ v1.26.0 azure/services/tags, azure/types.go (a tag is no difference of the model)",
    per: "stack",
    match: ({ type, path, kind, option }) =>
      !option && kind === "update" && type !== "AzureMachineTemplate" && tagPath.test(path),
    tell: (facts) => {
      const keys = [
        ...new Set(
          facts.flatMap(({ path, property }) =>
            /^(tags|spec\.additionalTags)$/.test(path)
              ? Object.keys(property?.after ?? property?.before ?? {})
              : [path.replace(tagPath, "").replace(/^"|"\]$/g, "")],
          ),
        ),
      ];
      return {
        what: `Azure tags change on ${counted(names(facts).length, "resource")}: ${listed(keys)}`,
        why: "tags are changed in place; scale sets do not roll for them",
      };
    },
  },
  {
    rule: "protect-off",
    severity: "metadata",
    source: "https://www.pulumi.com/docs/iac/concepts/options/protect/",
    per: "stack",
    match: (fact) => isOption("protect")(fact) && fact.property?.before === true,
    tell: (facts) => ({
      what: `No longer protected: ${listed(names(facts), 6)}`,
      why: "from the next run on Pulumi deletes or replaces them without asking; nothing happens now",
      instead: "set protect: true again after what you unprotect them for",
    }),
  },
  {
    rule: "protect-on",
    severity: "metadata",
    source: "https://www.pulumi.com/docs/iac/concepts/options/protect/",
    per: "stack",
    match: isOption("protect"),
    tell: (facts) => ({
      what: `Protected from now on: ${listed(names(facts), 6)}`,
      why: "Pulumi refuses to delete or replace them",
    }),
  },
  {
    rule: "sdk-version",
    severity: "metadata",
    source: "https://www.pulumi.com/docs/iac/concepts/resources/providers/",
    per: "resource",
    match: isOption("version"),
    tell: (facts) => {
      const [{ resource, property }] = facts;
      return {
        what: `Provider ${resource.name} has another version: ${arrow(property?.before, property?.after)}`,
        why: "a plan cannot see what another version of a provider does: read its release notes, and `pulumi preview`",
      };
    },
  },
  {
    rule: "pulumi-options",
    severity: "metadata",
    source: "https://www.pulumi.com/docs/iac/concepts/options/",
    per: "stack",
    match: ({ option }) => option,
    tell: (facts) => ({
      what: `Pulumi treats ${listed(names(facts))} in another way: ${listed([...new Set(facts.map(({ path }) => path))])}`,
      why: "options are Pulumi's own; no provider sees them",
    }),
  },
  {
    rule: "pulumi-annotations",
    severity: "metadata",
    source: "@pulumi/kubernetes 4 provider/pkg/metadata (annotations that the provider reads)",
    per: "stack",
    match: ({ path, option }) =>
      !option && /^metadata\.annotations\["(pulumi\.com|capz-windows)\//.test(path),
    tell: (facts) => ({
      what: `What \`pulumi up\` waits for changes: ${listed(names(facts))}`,
      why: "annotations that only the provider reads",
    }),
  },
  {
    rule: "description",
    severity: "metadata",
    source: "project",
    per: "stack",
    match: about(["NetworkSecurityGroup"], /\.description$/),
    tell: (facts) => ({
      what: `Descriptions change: ${listed(names(facts))}`,
      why: `texts for people (${String(find(facts, /description/)?.path)})`,
    }),
  },
];
