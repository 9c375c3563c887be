import { minor } from "semver";
import { textAt } from "capz-windows-kit/untyped";
import { isWithin } from "../../model/components";
import type { Difference } from "../differences";
import { formatChange, formatList } from "../format";
import { isOlderMinor, versions } from "./upgrades";
import { changeText, lifecycle, touches, type ImpactRule } from "../impactRule";

/** Cluster API itself, on the management cluster. */

const providers = [
  "CoreProvider",
  "BootstrapProvider",
  "ControlPlaneProvider",
  "InfrastructureProvider",
] as const;
const path = /^spec\.version$/;
const version = touches(providers, path);
const operator = "cluster-api-operator v0.28 internal/controller (preflight checks)";

const providerList = (differences: readonly Difference[]): string =>
  formatList([...new Set(differences.map(({ type }) => type))]);

const happensTo = { create: "is made", delete: "is deleted", update: "changes", replace: "changes" } as const;

/** The operator compares major and minor: an older patch is installed like any other version. */
const isOlder = ({ property }: Difference): boolean => isOlderMinor(...versions(property));

export const clusterApiRules: readonly ImpactRule[] = [
  {
    id: "cluster-api-downgrade",
    severity: "refused",
    source: operator,
    per: "stack",
    match: (difference) => version(difference) && isOlder(difference),
    what: (matched) =>
      `Cluster API cannot be downgraded: ${providerList(matched)} ${changeText(matched, path)}`,
    why: "objects are stored in newer API versions, and the operator refuses it",
  },
  {
    id: "capz-skips-minor",
    severity: "refused",
    source:
      "CAPZ docs/book, upgrades: one minor release at a time, because of Azure Service Operator's API versions",
    match: (difference) =>
      touches("InfrastructureProvider", path)(difference) &&
      minor(String(difference.property?.after)) - minor(String(difference.property?.before)) > 1,
    what: (matched) => `CAPZ cannot skip a minor version: ${changeText(matched, path)}`,
    why: "a release drops API versions of Azure Service Operator that the release before the previous one still stored",
    instead: "upgrade one minor version per `up`",
  },
  {
    id: "capz-needs-labels",
    source: "CAPZ v1.27.0 docs/book, Azure Service Operator: pre-upgrade workaround (CAPZ issue 6492)",
    match: (difference) =>
      touches("InfrastructureProvider", path)(difference) &&
      minor(String(difference.property?.after)) > minor(String(difference.property?.before)),
    what: (matched) => `CAPZ is upgraded: ${changeText(matched, path)}`,
    why: "its upgrade can hang on Azure Service Operator's CRDs without CAPZ's label",
    instead:
      "run this on the management cluster first, which can be repeated: kubectl label customresourcedefinitions --selector=app.kubernetes.io/name=azure-service-operator cluster.x-k8s.io/provider=infrastructure-azure --overwrite",
  },
  {
    id: "cluster-api-changes",
    source:
      "cluster-api-operator v0.29 internal/controller (a changed spec is fetched and applied again); CAPZ v1.27.0 main.go, --sync-period; CAPI v1.14.2 bootstrap/kubeadm, --bootstrap-token-ttl",
    per: "stack",
    match: touches(providers, /^spec\.(version|fetchConfig|manager|deployment)\b/),
    claims: touches(providers, /^metadata\.annotations\b/),
    what: (matched) =>
      `Cluster API changes: ${formatList(matched.map(({ type, path: one, property }) => `${type} ${one.replace(/^spec\./, "")} ${formatChange(property?.before, property?.after)}`))}`,
    why: "controllers restart, and CRDs are updated where the version is another one: read the release notes for new defaults that make machines roll",
  },
  {
    id: "cluster-api-removed",
    severity: "destroys",
    source:
      "cluster-api-operator v0.28: a deleted provider takes its controllers along, and leaves CRDs and objects",
    per: "stack",
    match: lifecycle("delete", ...providers),
    claims: ({ kind, resource }) => kind === "delete" && isWithin(resource.urn, "ClusterApiProviders"),
    what: (matched) => `Cluster API is removed from the management cluster: ${providerList(matched)}`,
    why: "without its controllers nothing repairs, scales or deletes machines, and objects with finalizers cannot be deleted",
    instead: "have Cluster API installed by its new owner first, then set clusterApi.install: false",
  },
  {
    id: "chart",
    source: "https://helm.sh/docs/helm/helm_upgrade/",
    per: "resource",
    match: ({ type, kind }) => type === "Release" && kind === "update",
    what: (matched) =>
      `Helm chart ${matched[0].resource.name} changes: ${formatList(matched.map(({ path, property }) => (path === "version" ? `version ${formatChange(property?.before, property?.after)}` : path)))}`,
    why: "Helm installs it in place, and its pods restart; of an older version, the CRDs and the objects that they store stay new",
  },
  {
    id: "secret-files",
    source: "CAPI v1.14.2 bootstrap/kubeadm/reconcilers/kubeadmconfig (resolveFiles)",
    per: "resource",
    // It is the only Secret that this component makes.
    match: ({ type, resource }) => type === "Secret" && isWithin(resource.urn, "ClusterApi"),
    what: ([{ base, head, kind }]) =>
      `The Secret ${textAt((head ?? base)?.inputs, "metadata", "name")} ${happensTo[kind]}: contents of files for new nodes`,
    why: "the bootstrap provider copies them into user data; nodes that run keep their files",
  },
  {
    id: "namespace-lost",
    severity: "destroys",
    source: "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/",
    per: "resource",
    match: ({ type, kind }) => type === "Namespace" && (kind === "delete" || kind === "replace"),
    what: ([{ resource, base }]) =>
      `Namespace ${textAt(base?.inputs, "metadata", "name")} (${resource.name}) is deleted with every object in it`,
    why: "Kubernetes deletes a namespace together with its contents",
  },
];
