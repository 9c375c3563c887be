// One file for everything that looks at the plans of the example stacks: the SDK is loaded and each is made once.
import "./program";
import "./dockershim";
import "./render";
import "./addons";
import "./checks";
import "./contract";
import "./golden";
import "./management";
import "./network";
import "./machineDeployment";
import "./secretsOfPlans";
import "./waits";
import "../plan/cli/cli";
import "../plan/checks/references";
import "../plan/reports/html";
import "../plan/reports/json";
