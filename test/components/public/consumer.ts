import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectDir } from "../../support/stacks";

/** Another program in its own folder, which has this project as a dependency by `file:`. */
export function consumer(body: string): { readonly dir: string; readonly remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-consumer-"));
  const modules = join(dir, "node_modules");
  mkdirSync(join(modules, "@pulumi"), { recursive: true });
  // The same links as `npm install` creates for "capz-windows": "file:...", and for the SDKs.
  symlinkSync(projectDir, join(modules, "capz-windows"), "junction");
  for (const name of ["pulumi", "kubernetes", "azure-native"]) {
    symlinkSync(join(projectDir, "node_modules/@pulumi", name), join(modules, "@pulumi", name), "junction");
  }
  const manifest = { name: "theirs", version: "1.0.0", dependencies: { "capz-windows": "file:elsewhere" } };
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(dir, "Pulumi.yaml"), "name: theirs\nruntime: nodejs\n");
  writeFileSync(join(dir, "index.ts"), body);
  return {
    dir,
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
