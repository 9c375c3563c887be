import { figuresReport, type LifeFigures } from "../support/figures";
import { Timeline, type Entry } from "./timeline";
import { figuresOf } from "./lives";
import { Clock } from "./azure/clock";

const life: LifeFigures = {
  figure: "life",
  cluster: "dev",
  title: "bring-up",
  done: true,
  seconds: 80.4,
  networkSeconds: 21.6,
  machinesDeleted: 0,
  broken: [],
};

it("the report counts lives, faults, verdicts and violated limits", () => {
  const text = figuresReport([
    life,
    {
      ...life,
      title: "roll",
      done: false,
      networkSeconds: 3,
      machinesDeleted: 3,
      broken: ["win1 has 1 ready node"],
    },
    { figure: "faults", met: { "Azure answered 409 Conflict": 2 } },
    { figure: "faults", met: { "Azure answered 409 Conflict": 1, "capz was stopped": 1 } },
    { figure: "verdicts", of: "objects", count: 30 },
    { figure: "verdicts", of: "objects", count: 10 },
    { figure: "verdicts", of: "changes", count: 7 },
  ]);
  expect(text).toMatchInlineSnapshot(`
   "# Lives in simulation

   - Lives lived: 2, to the end 1, on 1 clusters
   - Faults survived: 4
     - 3 × Azure answered 409 Conflict
     - 1 × capz was stopped
   - Verdicts of the real webhooks compared: 47
     - 40 objects
     - 7 changes
   - Seconds from API server to working network: 3 to 22
   - Moments of lost capacity, or of another limit that did not hold: 1
     - dev, roll: win1 has 1 ready node

   | cluster | life | seconds | machines deleted | API server to network |
   | --- | --- | --- | --- | --- |
   | dev | bring-up | 80 | 0 | 22 s |
   | dev | roll (failed) | 80 | 3 | 3 s |
   "
  `);
});

it("a run without lives says so instead of reporting figures", () => {
  expect(figuresReport([])).toContain("Seconds from API server to working network: not measured");
});

it("a life's figures are computed from its timeline", () => {
  const timeline = new Timeline(new Clock(), "dev");
  const entry = (seconds: number, where: string, object: string, what: string): Entry => ({
    ...{ seconds, where, object, what },
  });
  timeline.entries.push(
    entry(10, "node", "a", "kubeadm init: the API server answers"),
    entry(31.5, "node", "a", "Ready"),
    entry(40, "node", "b", "Ready"),
    entry(50, "azure", "virtualMachines a", "deleted"),
    entry(51, "BROKEN", "dev", "win1 has 1 ready nodes, at least 2 must be"),
    entry(60, "azure", "loadBalancers a", "deleted"),
  );
  expect(figuresOf("dev", "roll", timeline.entries)).toEqual({
    ...{ figure: "life", cluster: "dev", title: "roll", networkSeconds: 21.5, machinesDeleted: 1 },
    broken: ["win1 has 1 ready nodes, at least 2 must be"],
  });
});
