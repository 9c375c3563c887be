/** Who reaches whom in an Azure network, and what decides it. */

export type { Subject, Target } from "./ends";
export { joinedPaths, lineText, pathProblems, pathsOf, pathText, type ReachPath, stateWords } from "./paths";
export { readRoutes } from "./routes";
export { readRules } from "./rules";
export {
  all,
  open,
  type PeeredNetwork,
  shut,
  type Subnet,
  type Topology,
  unknown,
  type Verdict,
} from "./topology";
