import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { recordedDir } from "./patient";

describe("recorded objects can be", () => {
  const saved = readFileSync(join(recordedDir, "quota-cores--pool.json"), "utf8");
  const dir = temporaryFolder();

  it.each([
    ["in UTF-8 with a byte order mark", "utf8"],
    ["in UTF-16, as Windows PowerShell 5.1 writes it", "utf16le"],
  ] as const)("%s", (_, encoding) => {
    for (const name of [`${encoding}.json`, `${encoding}.yaml`]) {
      writeFileSync(join(dir, name), `\ufeff${saved}`, encoding);
      expect(readRecorded(join(dir, name))).toEqual(JSON.parse(saved));
    }
  });
});
