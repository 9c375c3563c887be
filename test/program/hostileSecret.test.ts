import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "@pulumi/pulumi";
import { stringify } from "yaml";
import { kubeconfigOfCluster } from "../../components/kubeconfigOfCluster";
import { projectDir } from "../support/projectDir";

/** Whoever may write the Secret of a cluster's kubeconfig runs nothing where `pulumi up` runs. */

const kubeconfig = (user: object): string =>
  stringify({
    apiVersion: "v1",
    kind: "Config",
    users: [{ name: "u", user }],
    clusters: [{ name: "c", cluster: { server: "https://c.example:6443" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });

it("a kubeconfig that runs a program is refused in words, without a stack trace", () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args: ["-c", "id"] };
  const refused = () => kubeconfigOfCluster(kubeconfig({ exec }));
  expect(refused).toThrow(RunError);
  expect(refused).toThrow(/^the kubeconfig is refused: it has users\[0\]\.user\.exec\./);
});

it("the output and the provider of a workload cluster get it no other way", () => {
  const uses = (path: string) => readFileSync(join(projectDir, "components", path), "utf8");
  const output = uses("workloadCluster/workloadCluster.ts");
  expect(output.split(/\bsecret\.data\b/).slice(1)).toHaveLength(1);
  expect(output).toMatch(/secret\.data\.apply\(\(data\) =>\s+kubeconfigOfCluster\(/);
  const providers = uses("sampleWorkload/sampleWorkload.ts").match(/new kubernetes\.Provider\([^;]*;/g) ?? [];
  expect(providers).toHaveLength(1);
  expect(providers[0]).toContain("kubeconfig: pulumi.secret(args.kubeconfig).apply(kubeconfigOfCluster)");
});
