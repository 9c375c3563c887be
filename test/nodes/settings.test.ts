import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { configurationFaults } from "../../bootstrap/kubeletConfiguration";
import { flagFields } from "../../bootstrap/kubeletFlags";
import { pairFaults } from "../../bootstrap/kubeletPairs";
import { valueFaults } from "../../bootstrap/kubeletValues";
import { decimal, goDuration, goSeconds } from "capz-windows-platform/cluster/goValues";
import { quantityPattern } from "capz-windows-kit/quantity";
import type { Problem } from "capz-windows-kit/problem";
import { stepsOf } from "../../packages/doctor/test/patternSteps";
import { argumentFault } from "capz-windows-platform/cluster/programArguments";
import {
  admissionPlugins,
  controllers,
  flagNames,
  gateFault,
  isGateOn,
} from "capz-windows-platform/cluster/programSettings";
import type { NodeData } from "../../plan/model/nodes";
import { sampleSize } from "capz-windows-test-kit/sample";
import { planAtMinor } from "./atMinor";
import { judged, judgedMinor, nodeJudge, nodesOfMinor, withoutJudge } from "./judge";
import {
  arbitraryArgument,
  arbitrarySetting,
  writtenArguments,
  endsLater,
  type DrawnArgument,
  type KubeletSetting,
} from "./drawnSettings";

/** The plan takes and refuses the settings that the program itself takes and refuses. */

const suite = nodeJudge === undefined ? describe.skip : describe;
/** The same in each run: what only another draw finds is no fault of a commit. `.ci/minors` draws others. */
const seed = Number(process.env.CAPZ_WINDOWS_SETTINGS_SEED ?? 165468105);

/** Where a program of the control plane has its arguments in the configuration of kubeadm. */
const places: Readonly<Record<string, string>> = {
  "kube-apiserver": "apiServer",
  "kube-controller-manager": "controllerManager",
  "kube-scheduler": "scheduler",
  etcd: "local",
  kubelet: "nodeRegistration",
};

/** What the plan says of an argument alone; of kubelet's also by the field that it sets. */
function faultOf({ program, name, value }: DrawnArgument): Pick<Problem, "problem"> | undefined {
  const fault = argumentFault(program, { name, value }, [{ name, value }], judgedMinor);
  if (program !== "kubelet" || fault !== undefined) {
    return fault;
  }
  const fields = flagFields({ name, value });
  const machine = { os: "linux", kubernetesMinor: judgedMinor } as const;
  return [...valueFaults(fields, judgedMinor), ...pairFaults(fields, machine)][0];
}

/** User data with one argument more. @throws Error when its place is not there */
function withArgument(text: string, { program, name, value }: DrawnArgument): string {
  const place = new RegExp(
    `^( *)${places[program]}:(?: \\{\\})?\\n((?:\\1 .*\\n)*?\\1  (?:extraArgs|kubeletExtraArgs):\\n)?`,
    "m",
  );
  const changed = text.replace(place, (found: string, indent: string, args: string | undefined) => {
    const line = `${indent}  - name: ${name}\n${indent}    value: ${JSON.stringify(value)}\n`;
    return args === undefined
      ? `${indent}${places[program]}:\n${indent}  extraArgs:\n${line}`
      : `${found}${line}`;
  });
  if (changed === text) {
    throw new Error(`no arguments of ${program} in the user data`);
  }
  return changed;
}

suite(`settings of Kubernetes 1.${judgedMinor}, seed ${seed}`, () => {
  let nodes: NodeData[];

  beforeAll(async () => {
    const plan = await planAtMinor("locked-down");
    nodes = plan === undefined ? [] : nodesOfMinor(plan);
    expect(nodes.length).toBeGreaterThan(2);
  });

  /** User data with each setting alone, and whether the program refuses it. */
  function refused(texts: readonly string[]): readonly boolean[] {
    const files = texts.map((text, index) => ({ ...nodes[0]!, path: `${index}/user-data.txt`, text }));
    const { problems } = judged(files);
    const bad = new Set(problems.map((line) => Number(line.split("/")[0])));
    return texts.map((_, index) => bad.has(index));
  }

  it("have the names that the programs print", () => {
    const rows = execFileSync(nodeJudge ?? "", ["settings"], { encoding: "utf8", maxBuffer: 1 << 24 })
      .split("\n")
      .map((line) => line.split("\t"));
    const printed = (kind: string): string[] =>
      rows.filter(([one]) => one === kind).map(([, name = ""]) => name);
    for (const program of [
      "kube-apiserver",
      "kube-controller-manager",
      "kube-scheduler",
      "kubelet",
    ] as const) {
      expect([...flagNames(program, judgedMinor)].sort()).toEqual(printed(program).sort());
    }
    expect([...admissionPlugins(judgedMinor)].sort()).toEqual(printed("admission plug-in").sort());
    expect([...controllers(judgedMinor)].sort()).toEqual(printed("controller").sort());
    const states = rows.filter(([kind]) => kind === "feature gate");
    expect(states.length).toBeGreaterThan(100);
    for (const [, name = "", , value, note = ""] of states) {
      expect([name, isGateOn(name, judgedMinor)]).toEqual([name, value === "true"]);
      const fault = gateFault(name, value !== "true", {}, judgedMinor) ?? "";
      expect([name, fault.includes(" is always ")]).toEqual([name, note.endsWith(", locked")]);
    }
  });

  it("of kubelet", () => {
    const drawn = fc
      .sample(arbitrarySetting, { numRuns: sampleSize * 4, seed })
      .filter((setting) => !endsLater(setting));
    const withSetting = ({ os, configuration }: KubeletSetting): string => {
      const { text = "" } =
        nodes.find((node) => node.os === os && node.text.includes("kind: KubeletConfiguration")) ?? {};
      const lines = Object.entries(configuration).map(
        ([name, value]) => `$1${name}: ${JSON.stringify(value)}\n`,
      );
      return text.replace(/^( +)kind: KubeletConfiguration\n/m, `$&${lines.join("")}`);
    };
    const verdicts = refused(drawn.map(withSetting));
    const wrong = drawn.flatMap(({ os, configuration }, index) => {
      const longest = configuration.imageMaximumGCAge;
      const seconds = typeof longest === "string" ? (goSeconds(longest) ?? 0) : 0;
      const faults = [
        // What config/rules/nodeSettings.ts says of the default of imageGC.minAgeMinutes.
        ...(seconds > 0 && seconds <= 120 ? [longest] : []),
        ...Object.entries(configuration).flatMap(([name, value]) =>
          configurationFaults(name, value, judgedMinor),
        ),
        ...valueFaults(configuration, judgedMinor),
        ...pairFaults(configuration, { os, kubernetesMinor: judgedMinor }),
      ];
      const isRefused = faults.length > 0;
      return isRefused === verdicts[index]
        ? []
        : [
            `${os} ${JSON.stringify(configuration)}: ${isRefused ? `the plan alone refuses it: ${JSON.stringify(faults[0])}` : "kubelet alone refuses it"}`,
          ];
    });
    expect(wrong).toEqual([]);
  });

  it("of the control plane's programs", () => {
    const drawn = [...fc.sample(arbitraryArgument, { numRuns: sampleSize * 2, seed }), ...writtenArguments];
    const { text = "" } = nodes.find(({ path }) => path.startsWith("control-plane/")) ?? {};
    const verdicts = refused(drawn.map((argument) => withArgument(text, argument)));
    const wrong = drawn.flatMap((argument, index) => {
      const { program, name, value } = argument;
      const fault = faultOf(argument);
      const isRefused = fault !== undefined;
      return isRefused === verdicts[index]
        ? []
        : [
            `${program} --${name}=${value}: ${isRefused ? `the plan alone refuses it: ${fault.problem}` : "the program alone refuses it"}`,
          ];
    });
    expect(wrong).toEqual([]);
  });
});

if (nodeJudge === undefined) {
  it.skip(withoutJudge, () => undefined);
}

// A value of the stack file may have a hundred thousand characters.
it.each([decimal, goDuration, quantityPattern])("%s looks at each character few times", (pattern) => {
  const wrong = ["0", ".0", "1e", "0s", "1.", "-"].map((part) => `${part.repeat(400).slice(0, 400)}x`);
  expect(wrong.filter((text) => stepsOf(pattern, text, 20_000) > 12 * text.length)).toEqual([]);
});
