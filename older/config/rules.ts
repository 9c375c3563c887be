export { flavorRules } from "./flavor";
export { marketplaceProblems } from "./marketplace";
export { olderKubernetesWarnings } from "./olderKubernetes";
