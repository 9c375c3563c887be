import { gt, minor, lt, valid } from "semver";
import type { Fact } from "../facts";
import type { Row } from "../row";
import { about, coming, find } from "../row";
import { arrow, listed } from "../words";

/** Cluster API itself, on the management cluster. */

const providers = [
  "CoreProvider",
  "BootstrapProvider",
  "ControlPlaneProvider",
  "InfrastructureProvider",
] as const;
const path = /^spec\.version$/;
const version = about(providers, path);
const operator = "cluster-api-operator v0.28 internal/controller (preflight checks)";

const namesOf = (facts: readonly Fact[]): string => listed([...new Set(facts.map(({ type }) => type))]);

const isOlder = ({ property }: Fact): boolean => lt(String(property?.after), String(property?.before));

export const clusterApiRows: readonly Row[] = [
  {
    rule: "cluster-api-downgrade",
    severity: "refused",
    source: operator,
    per: "stack",
    match: (fact) => version(fact) && isOlder(fact),
    tell: (facts) => {
      const { before, after } = find(facts, path) ?? {};
      return {
        what: `Cluster API cannot go back: ${namesOf(facts)} ${arrow(before, after)}`,
        why: "objects are stored in newer versions, and the operator refuses it",
      };
    },
  },
  {
    rule: "capz-skips-minor",
    severity: "refused",
    source:
      "CAPZ docs/book, upgrades: one minor release at a time, because of Azure Service Operator's API versions",
    match: (fact) =>
      about("InfrastructureProvider", path)(fact) &&
      minor(String(fact.property?.after)) - minor(String(fact.property?.before)) > 1,
    tell: (facts) => {
      const { before, after } = find(facts, path) ?? {};
      return {
        what: `CAPZ cannot skip a minor version: ${arrow(before, after)}`,
        why: "a release drops API versions of Azure Service Operator that the last but one still stored",
        instead: "go there one minor version an `up`",
      };
    },
  },
  {
    rule: "cluster-api-upgrade",
    severity: "changes",
    source: operator,
    per: "stack",
    match: version,
    claims: about(providers, /^metadata\.annotations\b/),
    tell: (facts) => {
      const { before, after } = find(facts, path) ?? {};
      return {
        what: `Cluster API changes: ${namesOf(facts)} ${arrow(before, after)}`,
        why: "controllers restart and CRDs are renewed; read the release notes for defaults that make machines roll",
      };
    },
  },
  {
    rule: "cluster-api-removed",
    severity: "destroys",
    source:
      "cluster-api-operator v0.28: a deleted provider takes its controllers along, and leaves CRDs and objects",
    per: "stack",
    match: coming("delete", ...providers),
    claims: ({ kind, resource }) => kind === "delete" && resource.name.startsWith("cluster-api-providers"),
    tell: (facts) => ({
      what: `Cluster API is removed from the management cluster: ${namesOf(facts)}`,
      why: "without its controllers nothing repairs, scales or deletes machines; objects with finalizers hang",
      instead: "let the other owner of Cluster API install it first, then set clusterApi.install: false",
    }),
  },
  {
    rule: "chart",
    severity: "changes",
    source: "https://helm.sh/docs/helm/helm_upgrade/",
    per: "resource",
    match: ({ type, kind }) => type === "Release" && kind === "update",
    tell: (facts) => {
      const [{ resource }] = facts;
      const change = find(facts, /^version$/);
      const [before, after] = [String(change?.before), String(change?.after)];
      const older = valid(before) !== null && valid(after) !== null && gt(before, after);
      return {
        what: change
          ? `Helm chart ${resource.name}: ${arrow(before, after)}${older ? " (older)" : ""}`
          : `Helm chart ${resource.name} changes: ${listed(facts.map((fact) => fact.path))}`,
        why: older
          ? "Helm rolls back what it installed, but not the CRDs and what they store"
          : "Helm upgrades it in place; its pods restart",
      };
    },
  },
  {
    rule: "namespace-lost",
    severity: "destroys",
    source: "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/",
    per: "resource",
    match: ({ type, kind }) => type === "Namespace" && (kind === "delete" || kind === "replace"),
    tell: ([{ resource, before }]) => ({
      what: `Namespace ${String((before?.inputs.metadata as { readonly name?: string } | undefined)?.name)} (${resource.name}) is deleted with every object in it`,
      why: "Kubernetes empties a namespace before it deletes it",
    }),
  },
];
