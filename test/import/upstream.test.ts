import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { compared, type SourceDifference } from "../../commands/import/capz/compare";
import { fromOf } from "../../commands/import/capz/overrides";
import type { ClusterObjects } from "../../commands/import/capz/roles";
import { omitted, Refused, type LeftOut } from "../../commands/import/findings";
import { importSource, type Imported } from "../../commands/import/importSource";
import { readSource } from "../../commands/import/sources";
import { missingIn, notTakenIn, type Variables } from "../../commands/import/variables";
import { stackFileText } from "../../commands/import/write";
import { loadSettings } from "../../config/load";
import { at, isRecord, strings } from "capz-windows-kit/untyped";
import { isItsTurn } from "capz-windows-test-kit/sample";
import { planner, templateVariables } from "./support";

/**
 * All templates of CAPZ and all apimodels of aks-engine: each becomes a stack that can be planned, and whatever it does
 * not have is named with a reason; or it is refused in words.
 */

const filesBelow = (folder: string | undefined, name: RegExp): string[] =>
  (folder === undefined ? [] : readdirSync(folder, { recursive: true }).map(String))
    .filter((file) => name.test(file))
    .sort();

const templates = process.env.CAPZ_WINDOWS_TEMPLATES;
const apimodels = process.env.CAPZ_WINDOWS_APIMODELS;

const isOfRun = (_: string, index: number): boolean => isItsTurn(index, 4);

/** All variables without a default that decide about a cluster of machines. */
const variables: Variables = {
  ...templateVariables,
  ...{ CI_VERSION: "v1.36.0-alpha.1.2+0123abc", KUBE_GIT_VERSION: "v1.36.0-alpha.1.2+0123abc" },
  ...{ TIMESTAMP: "2026-11-22", JOB_NAME: "job", BUILD_PROVENANCE: "local" },
  ...{
    AZURE_STORAGE_ACCOUNT: "account",
    AZURE_BLOB_CONTAINER_NAME: "container",
    IMAGE_TAG_ACR_CREDENTIAL_PROVIDER: "v1",
  },
  ...{ APISERVER_LB_DNS_SUFFIX: "suffix", CI_RG: "ci", USER_IDENTITY: "cloud-provider" },
  ...{ AZURE_LOCATION_GPU: "eastus", AZURE_LOCATION_EDGEZONE: "canadacentral", WORKER_MACHINE_COUNT: "2" },
  ...{ AZL3_VERSION: "1.35.6", CAPZ_GALLERY_VERSION: "1.35.6", FLATCAR_VERSION: "4230.2.1" },
  ...{ AZURE_SERVER_APP_ID: "11111111-2222-4333-8444-888888888888" },
  ...{ AZURE_VNET_CIDR: "10.20.0.0/16", AZURE_PRIVATE_VNET_CIDR: "10.20.0.0/16" },
  ...{ AZURE_CP_SUBNET_CIDR: "10.20.0.0/24", AZURE_NODE_SUBNET_CIDR: "10.20.1.0/24" },
};

const ofAks =
  "is a cluster of AKS: its control plane is Azure's, and this program makes clusters whose control plane is machines. docs/migrating-from-aks-engine.md#from-node-pools-of-aks says which key replaces which field of a pool.";
const ofClass =
  "is a ClusterClass, from which clusters are made: it does not describe a cluster. Import a cluster that was made from it, with --kubeconfig.";
const madeFromClass =
  "is made from a ClusterClass, which says what it is like: import the live cluster with --kubeconfig.";
const otherCloud =
  "customCloudProfile: this cluster is on Azure Stack or in another cloud; CAPZ's machines here are in Azure's public cloud only.";
const ofPools =
  "This describes a cluster of AKS, or pools of a cluster, and no cluster whose control plane is machines. docs/migrating-from-aks-engine.md#from-node-pools-of-aks says which key replaces which field of a pool of AKS; of aks-engine, import the apimodel.json of the cluster.";
const other =
  "This is not a file that import reads. It reads a clusterctl template or objects of Cluster API in YAML, and an apimodel of acs-engine or aks-engine.";

/** Every file that is refused, by the end of the message. All others are imported. */
const refused: Readonly<Record<string, string>> = {
  [ofAks]: `
    cluster-template-aks-aso-clusterclass cluster-template-aks-aso-maintenance cluster-template-aks-aso
    cluster-template-aks-clusterclass cluster-template-aks flavors/aks/cluster-template flavors/aks-aso/cluster-template
    test/ci/cluster-template-prow-aks-aso-kuberay test/ci/cluster-template-prow-aks-aso
    test/ci/cluster-template-prow-aks-clusterclass test/ci/cluster-template-prow-aks`,
  [ofClass]: `
    cluster-template-clusterclass-rke2 cluster-template-clusterclass
    test/ci/cluster-template-prow-clusterclass-ci-default test/ci/cluster-template-prow-clusterclass-ci-rke2`,
  [madeFromClass]: `
    cluster-template-aks-aso-topology cluster-template-aks-topology cluster-template-topology
    test/ci/cluster-template-prow-aks-topology test/ci/cluster-template-prow-topology-rke2
    test/ci/cluster-template-prow-topology`,
  [otherCloud]: "azure-stack/kubernetes-azurestack azure-stack/kubernetes-windows",
  [ofPools]: "agents-only addpool/agentpool",
  [other]: "vnet/vnetarmtemplate/azuredeploy.kubernetes",
};

const refusalOf = (file: string): string | undefined =>
  Object.entries(refused).find(([, names]) =>
    names
      .trim()
      .split(/\s+/)
      .includes(file.replace(/\.\w+$/, "")),
  )?.[0];

interface Outcome {
  readonly imported: Imported;
  /** What the last plan, that of the whole stack file, has. */
  readonly made: ClusterObjects;
}

/** Imports a file, or checks how it is refused. */
async function outcomeOf(folder: string, file: string, given: Variables): Promise<Outcome | undefined> {
  const source = { name: file, text: readFileSync(join(folder, file), "utf8") };
  let made: ClusterObjects | undefined;
  const planning = importSource([source], given, async (config) => (made = await planner(config)));
  const words = refusalOf(file);
  if (words === undefined) {
    const imported = await planning;
    return { imported, made: made as unknown as ClusterObjects };
  }
  const error: unknown = await planning.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Refused);
  expect((error as Refused).message.slice(-words.length)).toBe(words);
  expect((error as Refused).message).not.toContain("variable--");
  return undefined;
}

/** The stack file says what was imported, and if nothing is open, the program accepts it. */
function checkStackFile({ config, open, leftOut, unexplained }: Imported): void {
  const written = parse(stackFileText(config), { version: "1.1" }) as { config: Record<string, unknown> };
  const plain = Object.fromEntries(
    Object.entries(written.config).map(([key, value]) => [key.replace("capz-windows:", ""), value]),
  );
  // The placeholder of a secret is written in the form of an encrypted value.
  const { managementKubeconfig, ...others } = plain;
  expect(others).toEqual(JSON.parse(JSON.stringify(omitted(config, "managementKubeconfig"))));
  expect(managementKubeconfig === undefined).toBe(config.managementKubeconfig === undefined);
  if (open.length === 0) {
    expect(() => loadSettings(plain, "imported")).not.toThrow();
  }
  expect(unexplained).toEqual([]);
  expect(leftOut.filter(({ from, why }) => from.trim() === "" || why.trim() === "")).toEqual([]);
}

/**
 * Commands and files of a pool that neither the plan has nor the report names. The secret of azure.json is named after the
 * object that it belongs to, and root is the owner of every file.
 */
function silentEntries(
  { place, path, before, after }: SourceDifference,
  leftOut: readonly LeftOut[],
): unknown[] {
  const pool = place.split(".").slice(1).join(".");
  const said = leftOut.flatMap(
    ({ from }) => new RegExp(`^KubeadmConfig(?:Template)? ${pool} (.*)$`, "s").exec(from)?.[1] ?? [],
  );
  if (
    path.endsWith("azure.json].contentFrom.secret.name") ||
    (path.endsWith(".owner") && /^root(:root)?$/.test(String(before)))
  ) {
    return [];
  }
  if (path.includes("files[")) {
    const entry = path.slice(path.indexOf("files["));
    return said.some((one) => entry.startsWith(one)) ? [] : [`${pool} ${entry}`];
  }
  const gone = strings(before).filter((command) => !strings(after).includes(command));
  return gone.filter((command) => !said.some((one) => one.includes(command) || one.includes("(not shown)")));
}

/** Fields and objects of a source that are neither in the plan nor in the report. */
function silent(file: string, given: Variables, { imported, made }: Outcome): unknown[] {
  const text = readFileSync(file, "utf8");
  const source = readSource([{ name: file, text }], given);
  if (source.kind !== "Cluster API objects") {
    return [];
  }
  const { leftOut, open, config } = imported;
  const said = new Set(leftOut.map(({ from }) => from));
  const asked = new Set(open.flatMap(({ what }) => what.split(", ")));
  const fields = compared(source.objects, made)
    .filter(({ before }) => before !== undefined)
    .flatMap((difference) => {
      const { kind, path, before } = difference;
      const isEntry = kind.startsWith("KubeadmConfig") && /(files\[|KubeadmCommands$)/.test(path);
      const isAsked = missingIn(JSON.stringify(before)).some((name) => asked.has(name));
      return said.has(fromOf(difference)) || isAsked
        ? []
        : isEntry
          ? silentEntries(difference, leftOut)
          : [fromOf(difference)];
    });
  const manifests = JSON.stringify(config.extraManifests ?? {});
  const objects = source.objects.others
    .filter(({ kind, name }) => ![...said].some((from) => from.startsWith(`${kind} ${name}`)))
    .filter(({ data }) => !isRecord(data) || !manifests.includes(String(at(Object.values(data), "0"))))
    .map(({ kind, name }) => `${kind} ${name}`);
  return [...fields, ...objects];
}

const describeIf = (folder: string | undefined) => (folder === undefined ? describe.skip : describe);

describeIf(templates)(
  "templates of CAPZ (skipped without CAPZ_WINDOWS_TEMPLATES, its folder templates/)",
  () => {
    const folder = templates ?? "";
    const files = filesBelow(templates, /(^|\/)cluster-template[^/]*\.yaml$/);

    test("are all there", () => {
      expect(files.length).toBeGreaterThanOrEqual(73);
      const names = files.map((file) => file.replace(/\.yaml$/, ""));
      const known = [ofAks, ofClass, madeFromClass].flatMap(
        (words) => refused[words]?.trim().split(/\s+/) ?? [],
      );
      expect(known.filter((name) => !names.includes(name))).toEqual([]);
    });

    test("take from the environment what they document, without names of secrets and addresses of programs", () => {
      const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
      const names = [...text.matchAll(/(?<!\$)\$\{((?:AZURE|WINDOWS|CI|EXP|CLUSTER)_\w+)/g)].map(
        ([, name = ""]) => name,
      );
      const env = Object.fromEntries(names.map((name) => [name, "value"]));
      expect(notTakenIn(text, env)).toEqual([
        "AZURE_CLUSTER_IDENTITY_SECRET_NAME",
        "AZURE_CLUSTER_IDENTITY_SECRET_NAMESPACE",
        "WINDOWS_CONTAINERD_URL",
      ]);
    });

    const withoutVariables = files.filter(isOfRun);
    test.each(files.length === 0 ? ["none"] : files)("%s", async (file) => {
      for (const given of withoutVariables.includes(file) ? [variables, {}] : [variables]) {
        const outcome = await outcomeOf(folder, file, given);
        if (outcome !== undefined) {
          checkStackFile(outcome.imported);
          expect(silent(join(folder, file), given, outcome)).toEqual([]);
          // Scripts of CI need variables that only CI has; the base has no identity, and no tenant with it.
          // No template says all of a network that others have made, or which management cluster reaches a private one.
          const isPlaced = /private|custom-vnet/.test(file);
          const open = outcome.imported.open.filter(
            ({ path }) =>
              !path.includes("files[") &&
              path !== "azure.tenantId" &&
              !(isPlaced && /^(network\.|management)/.test(path)),
          );
          // Ranges of IPv6, second ones, and addresses of Azure's for pods are questions.
          const ranges = open.filter(({ path }) => /^network\.(?:pod|service)Cidr$/.test(path));
          expect(ranges.length > 0).toBe(/azure-cni|dual-stack|ipv6/.test(file));
          expect(given === variables ? open.filter((one) => !ranges.includes(one)) : []).toEqual([]);
        }
      }
    });
  },
);

describeIf(apimodels)(
  "apimodels of aks-engine (skipped without CAPZ_WINDOWS_APIMODELS, its folder examples/)",
  () => {
    const folder = apimodels ?? "";
    const files = filesBelow(apimodels, /\.json$/);

    test("are all there", () => {
      expect(files.length).toBeGreaterThan(100);
    });

    const ofRun = files.filter(isOfRun);
    test.each(ofRun.length === 0 ? ["none"] : ofRun)("%s", async (file) => {
      const { imported } = (await outcomeOf(folder, file, {})) ?? {};
      if (imported !== undefined) {
        checkStackFile(imported);
        const open = imported.open.map(({ path }) => path);
        expect(
          open.filter((path) => !/^(clusterName|azure\.|access\.sshPublicKey|network\.\w+Cidr)/.test(path)),
        ).toEqual([]);
      }
    });
  },
);
