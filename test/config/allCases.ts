import { containerRegistryCases } from "./containerRegistryCases";
import { deploymentCases } from "./deploymentCases";
import { apiServerCases } from "./apiServerCases";
import { auditCases } from "./auditCases";
import { authenticationCases } from "./authenticationCases";
import { autoscalerCases } from "./autoscalerCases";
import { customRoleCases } from "./customRoleCases";
import { egressCases } from "./egressCases";
import { encryptionCases } from "./encryptionCases";
import { extraManifestCases } from "./extraManifestCases";
import { healthCases } from "./healthCases";
import { kubeletCertificateCases } from "./kubeletCertificateCases";
import { machineOptionCases } from "./machineOptionCases";
import { existingNetworkCases } from "./existingNetworkCases";
import { fileCases } from "./fileCases";
import { addonCases, flavorCases } from "./flavorCases";
import { ownNetworkCases } from "./ownNetworkCases";
import { managementCases } from "./managementCases";
import { managementNetworkCases } from "./managementNetworkCases";
import { outboundCases } from "./outboundCases";
import { bastionCases } from "./bastionCases";
import { peeringCases } from "./peeringCases";
import { overrideCases } from "./overrideCases";
import type { Case } from "./ruleCases";
import { nodeSettingCases } from "./nodeSettingCases";
import { poolDefaultCases } from "./poolDefaultCases";
import { poolSubnetCases } from "./poolSubnetCases";
import { machineExtraCases } from "./machineExtraCases";
import { networkCases, otherCases } from "./ruleCases";
import { valueCases } from "./valueCases";

/** The cases of all rules. Each is checked, and its advice is followed. */
export const allCases: readonly Case[] = [
  ...networkCases,
  ...otherCases,
  ...flavorCases,
  ...addonCases,
  ...ownNetworkCases,
  ...autoscalerCases,
  ...deploymentCases,
  ...managementCases,
  ...managementNetworkCases,
  ...overrideCases,
  ...valueCases,
  ...egressCases,
  ...containerRegistryCases,
  ...fileCases,
  ...nodeSettingCases,
  ...kubeletCertificateCases,
  ...machineOptionCases,
  ...poolDefaultCases,
  ...machineExtraCases,
  ...healthCases,
  ...extraManifestCases,
  ...poolSubnetCases,
  ...auditCases,
  ...encryptionCases,
  ...customRoleCases,
  ...apiServerCases,
  ...authenticationCases,
  ...existingNetworkCases,
  ...outboundCases,
  ...peeringCases,
  ...bastionCases,
];
