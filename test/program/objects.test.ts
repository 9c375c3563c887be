// Tests that read the registered resources, including secrets. These files are one suite, so that the SDK is loaded and
// each example is planned once; test/program/reports.test.ts is the other half.
import "./program.part";
import "./addons.part";
import "./checks.part";
import "./contract.part";
import "./destroy.part";
import "./dockershim.part";
import "./existingManagement.part";
import "./existingNetwork.part";
import "./machineDeployment.part";
import "./management.part";
import "./network.part";
import "./ownCni.part";
import "./registries.part";
import "./rightConfigs.part";
import "./sampleWorkload.part";
import "./secretsOfPlans.part";
import "./upgradeOrder.part";
import "./waits.part";
import "./webhooks.part";
import "../azure/bodies.part";
import "../azure/roleActions.part";
import "../plan/checks/references.part";
import "../plan/model/readCluster.part";
