import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBundledFile } from "capz-windows-kit/readBundledFile";

it("gives nodes the same script from every checkout, even one that converted line endings", () => {
  const folder = mkdtempSync(join(tmpdir(), "capz-windows-shipped-"));
  try {
    writeFileSync(join(folder, "a.ps1"), "one\r\n\r\ntwo\rthree\n");
    expect(readBundledFile(folder, "a.ps1")).toBe("one\n\ntwo\rthree\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
