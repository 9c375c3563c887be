import { execFile } from "node:child_process";
import { join } from "node:path";
import { run } from "capz-windows-doctor/access/cli/main";
import { sectionsOf } from "capz-windows-doctor/access/commands";
import { reachableOf } from "capz-windows-doctor/access/model";
import { said } from "capz-windows-test-kit/said";
import { inCi } from "capz-windows-test-kit/sample";
import { patient, recordedDir } from "../../packages/doctor/test/patient";
import { filesBelow } from "../architecture/sources";
import { exampleFile, projectDir } from "../support/stacks";

it("names itself where no program has a kubeconfig", async () => {
  const { code, err } = await said(() =>
    run(["--config-file", join(projectDir, exampleFile("dev"))], {
      run: () => Promise.resolve({ ok: false, output: "", error: "no network" }),
    }),
  );
  expect(code).toBe(1);
  expect(err).toMatch(
    /\n {9}az login\n {9}npm run access -- dev --kubeconfig FILE {3}# with a kubeconfig of your own\n$/,
  );
});

it("the scripts that the commands name are there", () => {
  const reachable = reachableOf(patient().snapshot(), new Map());
  const text = JSON.stringify(sectionsOf(reachable, { pool: "win1" }));
  const named = [...text.matchAll(/bootstrap\/scripts\/[\w.-]+/g)].map(([path]) => path);
  expect([...new Set(named)].filter((path) => !filesBelow("bootstrap/scripts").includes(path))).toEqual([]);
});

inCi("is its own program", async () => {
  const [code, stdout] = await new Promise<[number, string]>((resolve) => {
    execFile(
      process.execPath,
      [
        join(projectDir, "scripts/access.js"),
        "--from",
        join(recordedDir, "healthy.json"),
        "--pool",
        "linux1",
      ],
      { env: { ...process.env, PATH: "" } },
      (error, text) => {
        resolve([typeof error?.code === "number" ? error.code : 0, text]);
      },
    );
  });
  expect(code).toBe(0);
  expect(stdout).toContain("linux1000000 (pool linux1, linux)");
});
