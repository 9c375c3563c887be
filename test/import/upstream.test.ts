import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Imported } from "../../commands/import/importSource";
import { importText, templateVariables } from "./support";

/** Templates and apimodels of other projects: each becomes a stack that can be planned, or is refused with a reason. */

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );

/** Files that describe Windows machines. */
const windowsFiles = (folder: string | undefined, name: RegExp): string[] =>
  folder === undefined || !existsSync(folder)
    ? []
    : filesBelow(folder).filter(
        (file) => name.test(file) && /osType"?: *"?Windows/i.test(readFileSync(file, "utf8")),
      );

const templates = process.env.CAPZ_WINDOWS_TEMPLATES;
const apimodels = process.env.CAPZ_WINDOWS_APIMODELS;

/** Variables that CAPZ's own tests set in addition. */
const variables = {
  ...templateVariables,
  ...{ CI_VERSION: "v1.36.0-alpha.1.2+0123abc", KUBE_GIT_VERSION: "v1.36.0-alpha.1.2+0123abc" },
  ...{ TIMESTAMP: "2026-11-22", JOB_NAME: "job", BUILD_PROVENANCE: "local" },
  ...{
    AZURE_STORAGE_ACCOUNT: "account",
    AZURE_BLOB_CONTAINER_NAME: "container",
    IMAGE_TAG_ACR_CREDENTIAL_PROVIDER: "v1",
  },
  ...{ APISERVER_LB_DNS_SUFFIX: "suffix", CI_RG: "ci", USER_IDENTITY: "cloud-provider" },
};

/** Templates that are no clusters of machines, by file name, with the reason of the refusal. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/aks/, "is a cluster of AKS: its control plane is Azure's"],
  [/clusterclass/, "is a ClusterClass, from which clusters are made"],
  [/azure-stack/, "customCloudProfile: this cluster is on Azure Stack"],
];

async function carried(
  folder: string | undefined,
  file: string,
  given: Readonly<Record<string, string>>,
): Promise<Imported | undefined> {
  const [, words] = refusals.find(([name]) => name.test(relative(folder ?? "", file))) ?? [];
  const imported = importText(readFileSync(file, "utf8"), given, file);
  if (words !== undefined) {
    await expect(imported).rejects.toThrow(words);
    return undefined;
  }
  return imported;
}

const describeIf = (folder: string | undefined) => (folder === undefined ? describe.skip : describe);

describeIf(templates)(
  "templates of CAPZ (skipped without CAPZ_WINDOWS_TEMPLATES, its folder templates/)",
  () => {
    const files = windowsFiles(templates, /cluster-template-[^/]*\.yaml$/);
    const figures = { carried: 0, refused: 0, fields: 0, same: 0, explained: 0 };

    test("there are some", () => {
      expect(files.length).toBeGreaterThan(5);
    });

    test.each(files.length === 0 ? ["none"] : files)("%s", async (file) => {
      const imported = await carried(templates, file, variables);
      figures[imported === undefined ? "refused" : "carried"] += 1;
      expect(imported?.unexplained ?? []).toEqual([]);
      // Scripts of CI need variables that only CI has; all others have a value.
      expect((imported?.open ?? []).filter(({ path }) => !path.includes("files["))).toEqual([]);
      figures.fields += imported?.fields?.all ?? 0;
      figures.same += imported?.fields?.same ?? 0;
      figures.explained += imported?.leftOut.length ?? 0;
    });

    afterAll(() => {
      process.stdout.write(`${files.length} templates: ${JSON.stringify(figures)}\n`);
    });
  },
);

describeIf(apimodels)(
  "apimodels of aks-engine (skipped without CAPZ_WINDOWS_APIMODELS, its folder examples/)",
  () => {
    const files = windowsFiles(apimodels, /\.json$/);
    const figures = { carried: 0, refused: 0, leftOut: 0 };

    test("there are some", () => {
      expect(files.length).toBeGreaterThan(5);
    });

    test.each(files.length === 0 ? ["none"] : files)("%s", async (file) => {
      const imported = await carried(apimodels, file, {});
      figures[imported === undefined ? "refused" : "carried"] += 1;
      figures.leftOut += imported?.leftOut.length ?? 0;
      const open = (imported?.open ?? []).map(({ path }) => path);
      expect(open.filter((path) => !/^(clusterName|azure\.|access\.sshPublicKey)/.test(path))).toEqual([]);
      const unknown = (imported?.leftOut ?? []).filter(({ why }) =>
        /^(no key of|there is no place)/.test(why),
      );
      expect(unknown.map(({ from }) => from)).toEqual([]);
    });

    afterAll(() => {
      process.stdout.write(`${files.length} apimodels: ${JSON.stringify(figures)}\n`);
    });
  },
);
