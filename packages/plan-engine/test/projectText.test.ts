import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plan } from "pulumi-plan-engine";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

const dir = temporaryFolder();
const planned = (folder: string) => plan({ projectDir: join(dir, folder), stack: "dev" });
const words = (file: string) =>
  `${join(dir, file)} is not read: it is no regular file, or has more than 1,000,000 bytes`;

it("a Pulumi.yaml is read up to a megabyte", async () => {
  mkdirSync(join(dir, "large"));
  writeFileSync(join(dir, "large/Pulumi.yaml"), "name: a\nruntime: nodejs\n");
  truncateSync(join(dir, "large/Pulumi.yaml"), 1_000_001);
  await expect(planned("large")).rejects.toThrow(words("large/Pulumi.yaml"));
});

it("a Pulumi.yaml that is a folder is said", async () => {
  mkdirSync(join(dir, "a/Pulumi.yaml"), { recursive: true });
  await expect(planned("a")).rejects.toThrow(words("a/Pulumi.yaml"));
});
