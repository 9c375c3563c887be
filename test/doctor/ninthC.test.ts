import { diagnose } from "../../doctor/diagnose";
import type { Finding } from "../../doctor/model/diagnosis";
import type { BlindFault } from "./blind/blindFault";

import { ninthFirstApps } from "./blind/ninthFirstApps";
import { ninthFirstHour } from "./blind/ninthFirstHour";
import { patient } from "./patient";

const faults: readonly BlindFault[] = [...ninthFirstHour, ...ninthFirstApps];

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
