import { diagnose } from "../../commands/doctor/diagnose";
import type { Finding } from "../../commands/doctor/diagnosis";
import type { BlindFault } from "./blind/blindFault";
import { eighthAzure, eighthBootstrap } from "./blind/eighthAzure";
import { eighthApplications, eighthManagement } from "./blind/eighthManagement";
import { eighthWindows } from "./blind/eighthWindows";
import { eleventh } from "./blind/eleventh";
import { fifthAzure } from "./blind/fifthAzure";
import { fifthCascades } from "./blind/fifthCascades";
import { fifthKubernetes } from "./blind/fifthKubernetes";
import { fifthManagement } from "./blind/fifthManagement";
import { fifthNodes } from "./blind/fifthNodes";
import { fourthApplications } from "./blind/fourthApplications";
import { fourthPlatform } from "./blind/fourthPlatform";
import { inApplications } from "./blind/inApplications";
import { inAzure } from "./blind/inAzure";
import { inManagement } from "./blind/inKubernetes";
import { ninthDayTwo } from "./blind/ninthDayTwo";
import { ninthDayTwoMore } from "./blind/ninthDayTwoMore";
import { ninthDayTwoNodes } from "./blind/ninthDayTwoNodes";
import { ninthFirstApps } from "./blind/ninthFirstApps";
import { ninthFirstHour } from "./blind/ninthFirstHour";
import { ninthReports } from "./blind/ninthReports";
import { ninthReportsMore } from "./blind/ninthReportsMore";
import { onNodes } from "./blind/onNodes";
import { secondMachines } from "./blind/secondMachines";
import { secondPods } from "./blind/secondPods";
import { secondVolumes } from "./blind/secondVolumes";
import { seventh } from "./blind/seventh";
import { sixth } from "./blind/sixth";
import { sixthPods } from "./blind/sixthPods";
import { tenth } from "./blind/tenth";
import { third } from "./blind/third";
import { twelfth } from "./blind/twelfth";
import { patient } from "./patient";

const faults: readonly BlindFault[] = [
  ...[...inAzure, ...inManagement, ...onNodes, ...inApplications],
  ...[...secondMachines, ...secondPods, ...secondVolumes, ...third],
  ...[...fourthPlatform, ...fourthApplications],
  ...[...fifthAzure, ...fifthNodes, ...fifthKubernetes, ...fifthCascades, ...fifthManagement],
  ...[...sixth, ...sixthPods, ...seventh],
  ...[...eighthAzure, ...eighthBootstrap, ...eighthWindows, ...eighthManagement, ...eighthApplications],
  ...[...ninthDayTwo, ...ninthDayTwoMore, ...ninthDayTwoNodes],
  ...[...ninthFirstHour, ...ninthFirstApps],
  ...[...ninthReports, ...ninthReportsMore],
  ...tenth,
  ...eleventh,
  ...twelfth,
];

function findings(fault: BlindFault): readonly Finding[] {
  const p = patient();
  fault.make(p);
  return diagnose(p.snapshot()).findings;
}

const isNamed = ({ cause, remedy }: BlindFault, first: Finding | undefined): boolean =>
  first !== undefined && cause.test(first.cause) && first.remedy.some((line) => remedy.test(line));

describe("faults that were written down without knowing the rules", () => {
  it.each(faults.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => {
    const [first, ...others] = findings(fault);
    if (!isNamed(fault, first)) {
      const told = [first, ...others].map(
        (finding) =>
          finding &&
          `${finding.id} (${finding.scope}): ${finding.cause}\n    ${finding.remedy.join("\n    ")}`,
      );
      throw new Error(
        `expected ${String(fault.cause)}, remedy ${String(fault.remedy)}; the doctor says:\n  ${told.join("\n  ") || "nothing"}`,
      );
    }
  });
});
