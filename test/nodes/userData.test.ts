import fc from "fast-check";
import { minor } from "semver";
import type { NodeData } from "../../plan/model/nodes";
import { updateInline } from "../support/inlinePlans";
import { allExamples } from "../support/plans";
import { versionRanges } from "../support/kubernetesVersions";
import { rightConfig } from "../support/rightConfigs";
import { sampleSize } from "capz-windows-test-kit/sample";
import { isExamplesMinor, planAtMinor } from "./atMinor";
import { faultsOfUserData } from "./faultsOfUserData";
import { judged, judgedMinor, nodeJudge, nodesOfMinor, withoutJudge } from "./judge";

/**
 * The node's own programs read the user data of every machine of their minor: kubeadm, kubelet, the control plane with its
 * configuration files, etcd's flags and containerd's hosts.toml. `.ci/minors` runs this file for the other minors.
 */

/**
 * What no program reads here: files from Secrets, which test/apiserver gives to an API server, the plug-in for keys in Key Vault,
 * and etcd before it had a list of its flags.
 */
const unknowable =
  /: not checked: static Pod [\w-]+\.yaml: (?:(?:(?:encryption|authentication) configuration|audit policy): its text comes from a Secret|the flags of \S+\/kms\/\S+|etcd's flags: .*)$/;

/** No release of Kubernetes 1.22 can be judged. */
const stacks = allExamples.filter((stack) => stack !== "dockershim");

const suite = nodeJudge === undefined ? describe.skip : describe;

suite(`the node's own programs of Kubernetes 1.${judgedMinor}`, () => {
  const plans = new Map<string, NodeData[]>();

  it.each(stacks)("take the user data of %s", async (stack) => {
    const plan = await planAtMinor(stack);
    const nodes = plan === undefined ? [] : nodesOfMinor(plan);
    plans.set(stack, nodes);
    if (nodes.length > 0) {
      const { problems, notChecked } = judged(nodes);
      expect(problems).toEqual([]);
      expect(notChecked.filter((line) => !unknowable.test(line))).toEqual([]);
    }
  });

  it("have read all examples of their minor, and several of another one", () => {
    const read = [...plans.values()].filter((nodes) => nodes.length > 0);
    expect(read.length).toBeGreaterThanOrEqual(isExamplesMinor ? stacks.length : 5);
    expect([...plans.values()].flat().filter(({ os }) => os === "windows").length).toBeGreaterThanOrEqual(5);
  });

  const seed = Number(process.env.CAPZ_WINDOWS_SEED ?? Date.now() % 2 ** 31);
  const isRandom = versionRanges.some(({ versions }) => versions.some((one) => minor(one) === judgedMinor));
  (isRandom ? it : it.skip)(`take the user data of right configs, seed ${seed}`, async () => {
    const wanted = Math.ceil(sampleSize / 4);
    const configs = fc
      .sample(rightConfig, { numRuns: wanted * 40, seed })
      .filter(({ kubernetesVersion }) => minor(String(kubernetesVersion)) === judgedMinor)
      .slice(0, wanted);
    const nodes: NodeData[] = [];
    for (const [index, config] of configs.entries()) {
      const plan = await updateInline(config);
      nodes.push(...nodesOfMinor(plan).map((node) => ({ ...node, path: `${index}/${node.path}` })));
    }
    expect(nodes.length).toBeGreaterThan(0);
    expect(judged(nodes).problems).toEqual([]);
  });

  (isExamplesMinor ? it.each : it.skip.each)(faultsOfUserData)(
    "find %s",
    (_, stack, path, change, problem) => {
      const node = plans.get(stack)?.find((one) => one.path === path);
      const { problems } = judged([{ ...node!, text: change(node!.text) }]);
      expect(problems.join("\n")).toMatch(problem);
    },
  );
});

if (nodeJudge === undefined) {
  it.skip(withoutJudge, () => undefined);
}
