import { Provider as Kubernetes } from "@pulumi/kubernetes/provider";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import * as components from "../../../components";
import { plan, redact } from "pulumi-plan-engine";
import { clouds } from "../../../plan/simulation";
import { projectDir } from "../../support/projectDir";
import { componentOf, readExamples, tokenOf, type Example } from "../pages/program";

/** No public component takes the machine's own kubeconfig or login where a provider was forgotten. */

/** All but SampleWorkload, which makes its own provider of a kubeconfig. */
const examples = Object.values(readExamples()).filter(
  (one) => tokenOf(one) !== undefined && componentOf(one) !== "SampleWorkload",
);

/** What a component says that is created in its own program. References to other resources stay texts. */
async function saidBy(example: Example, options: () => CustomResourceOptions = () => ({})): Promise<unknown> {
  const Component: new (name: string, args: never, opts: object) => unknown =
    components[componentOf(example) as "WorkloadCluster"];
  const { outputs } = await plan({
    ...{ projectDir, project: "theirs", stack: "test", mode: "preview", simulate: clouds },
    program: () => {
      try {
        new Component("a", example.properties as never, options());
        return { said: "nothing" };
      } catch (error) {
        return { said: (error as Error).message };
      }
    },
  });
  return redact(outputs.said!);
}

it.each(examples.map((example) => [componentOf(example), example] as const))(
  "%s asks for its provider",
  async (_, example) => {
    const isInKubernetes = /kubernetes|workload/.test(String(example.options?.providers));
    const wanted = isInKubernetes ? "kubernetes" : "azure-native";
    expect(await saidBy(example)).toBe(`give it a provider of ${wanted} in opts.providers`);
  },
);

it.each(examples.filter((one) => /^(RunningPools|UpgradeOrder)$/.test(componentOf(one))))(
  "$type asks for the Cluster with which it is deleted",
  async (example) => {
    const said = await saidBy(example, () => ({ provider: new Kubernetes("p", {}) }));
    expect(said).toBe("name the Cluster in opts.deletedWith: `cluster` of a WorkloadCluster");
  },
);
