import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCluster } from "../../plan/model/cluster/readCluster";
import { parsePlanDocument } from "../../plan/model/planDocument";
import { planJson } from "../../plan/model/planJson";
import { rightsFiles } from "../../plan/render/rights";
import { readStackFile } from "../../config/stackFile";
import { stateRights } from "capz-windows-platform/azure/statePlace";
import { updateFileInline } from "../support/inlinePlans";
import { readExample } from "../support/stacks";

describe("the rights on the state", () => {
  const found = (projectFile: string, stackFile: string): string[] => {
    const dir = mkdtempSync(join(tmpdir(), "capz-windows-"));
    writeFileSync(join(dir, "Pulumi.yaml"), `name: own\nruntime: nodejs\n${projectFile}`);
    writeFileSync(join(dir, "Pulumi.prod.yaml"), stackFile);
    return stateRights(readStackFile(dir, "prod").state ?? {}).map(
      ({ role, scope }) => `${role} on ${scope}`,
    );
  };

  it("are on the container and the key that Pulumi.yaml and the stack file name", () => {
    expect(
      found(
        "backend: { url: 'azblob://state?storage_account=company' }\n",
        "secretsprovider: azurekeyvault://company.vault.azure.net/keys/pulumi\nencryptedkey: AA==\n",
      ),
    ).toEqual([
      "Storage Blob Data Contributor on container state of storage account company",
      "Key Vault Crypto User on key pulumi in company.vault.azure.net",
    ]);
    expect(found("backend: { url: 'azblob://state' }\n", "encryptionsalt: v1:AA==\n")).toEqual([
      "Storage Blob Data Contributor on container state",
    ]);
  });

  it("are none where the state and its key are not in Azure", () => {
    expect(found("backend: { url: 's3://state' }\n", "secretsprovider: passphrase\n")).toEqual([]);
  });

  it("are in rights.md of the plan and the same when plan.json is read again", async () => {
    const file = {
      ...readExample("existing"),
      state: { secretsProvider: "azurekeyvault://company.vault.azure.net/keys/pulumi" },
    };
    const plan = await updateFileInline(file);
    expect(new Map(rightsFiles(plan.cluster)).get("rights.md")).toContain(
      "| pulumi up, pulumi preview | Key Vault Crypto User | key pulumi in company.vault.azure.net | decrypts",
    );
    const { rights } = readCluster(parsePlanDocument(JSON.stringify(planJson(plan)), "plan.json"));
    // Those on resources need their ids, which plan.json leaves out.
    const onData = ({ people }: typeof rights) =>
      people.filter(({ who }) => who.includes("up, pulumi preview"));
    expect(onData(rights)).toHaveLength(2);
    expect(onData(rights)).toEqual(onData(plan.cluster.rights));
  });
});
