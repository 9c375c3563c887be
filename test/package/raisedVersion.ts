import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { fakeRegistry } from "../support/packages";
import { inCi } from "capz-windows-test-kit/sample";
import { commandIn, npmBeside, packVersion, read } from "./packed";

/**
 * A bot raises the version of the package in package.json and in the lock file, nothing else. The job of the shipped workflow
 * runs in a clone as actions/checkout makes it: with the real git, bash, npm and both versions of the package. Only the
 * registry and the API of GitHub stand on this machine.
 */
export function raisedVersion(dir: string): void {
  const home = join(dir, "raised");
  const origin = join(home, "origin");
  const job = join(home, "job");
  const at = (name: string): string => join(home, name);

  interface Step {
    readonly name?: string;
    readonly id?: string;
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
  }

  /** The scripts of a workflow that `init` wrote, in their order. */
  const steps = (workflow: string, name: string): readonly Step[] => {
    const { jobs } = parse(read(origin, `.github/workflows/${workflow}.yml`)) as {
      readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
    };
    return (jobs[name]?.steps ?? []).filter(({ run }) => run !== undefined);
  };

  inCi("comments what it does to machines", async () => {
    packVersion(dir, "0.1.1", { "packages/platform/machines/defaults.js": ["windows: 128", "windows: 100"] });
    packVersion(dir, "0.1.2");
    const bin = { "capz-windows": "commands/package/bin.js" };
    const registry = fakeRegistry(dir, { "capz-windows": ["0.1.1", "0.1.2"] }, { bin });
    const env = {
      PATH: `${npmBeside(dir)}:${process.env.PATH ?? ""}`,
      ...{ HOME: home, npm_config_registry: await registry.start(), npm_config_cache: at("npm") },
      ...{ npm_config_audit: "false", npm_config_fund: "false", NO_COLOR: "1" },
    };
    const run = async (cwd: string, script: string, more: NodeJS.ProcessEnv = {}) => {
      // As GitHub runs a script without `shell`: https://docs.github.com/actions/reference/workflow-syntax
      const ran = promisify(execFile)("bash", ["-e", "-c", script], { cwd, env: { ...env, ...more } });
      return ran.then(
        ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
        (error: unknown) => {
          const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
          return { code, out: stdout + stderr };
        },
      );
    };
    const done = async (cwd: string, script: string): Promise<void> => {
      expect(await run(cwd, script)).toMatchObject({ code: 0 });
    };
    let body = "";
    try {
      mkdirSync(home);
      const args = ["init", origin, "--yes", "--workflows", "github"];
      expect(commandIn(dir)(dir, args)).toMatchObject({ status: 0 });
      const manifest = join(origin, "package.json");
      const raise = (version: string): void => {
        writeFileSync(
          manifest,
          read(manifest).replace(/("capz-windows": )"\d+\.\d+\.\d+"/, `$1"${version}"`),
        );
      };
      await done(
        origin,
        "git init -q -b main && git config user.name t && git config user.email t@example.com",
      );
      raise("0.1.1");
      await done(
        origin,
        "npm install --package-lock-only && git add -A && git commit -qm 'As init wrote it'",
      );
      raise("0.1.2");
      await done(
        origin,
        "git checkout -qb bot && npm install --package-lock-only && git add -A && git commit -qm Raised",
      );
      // What GitHub checks out for a pull request: the merge, whose first parent is the base.
      await done(
        origin,
        "git checkout -q main && git checkout -qb merge && git merge -q --no-ff -m Merge bot",
      );
      await done(home, `git clone -q --depth 2 --branch merge "file://${origin}" job`);
      const changed = await run(job, "git diff --name-only HEAD^1");
      expect(changed.out.trim().split("\n")).toEqual(["package-lock.json", "package.json"]);

      const [install, plan, label] = steps("check", "plan");
      const variables = { GITHUB_OUTPUT: at("output"), GITHUB_STEP_SUMMARY: at("summary.md") };
      expect(await run(job, install?.run ?? "", variables)).toMatchObject({ code: 0 });
      expect(plan?.id).toBe("plan");
      expect(await run(job, plan?.run ?? "", variables)).toMatchObject({
        code: 0,
        out: expect.stringContaining("Pulumi.dev.yaml") as string,
      });
      // The step with the label runs when something is destroyed, which is not so here.
      expect(readFileSync(at("output"), "utf8")).toBe("status=2\n");
      expect(label?.run).toContain("grep -qx destructive-ok");

      // The other workflow runs the default branch, which still has the former version, and renders the report.
      await done(home, `git clone -q --depth 1 --branch main "file://${origin}" writer`);
      const [installed, comment] = steps("comment", "comment");
      expect(comment?.env).toMatchObject({ GH_TOKEN: "${{ github.token }}" });
      expect(await run(at("writer"), installed?.run ?? "")).toMatchObject({ code: 0 });
      const report = join(job, "reports/plan.json");
      const rendered = await run(
        at("writer"),
        `npm run --silent pipeline -- markdown plan "${report}" --run https://r`,
      );
      expect(rendered.code).toBe(0);
      body = rendered.out;
    } finally {
      registry.stop();
    }
    expect(body).toMatch(/^<!-- capz-windows: plan -->\n/);
    expect(body).toContain("version of the program");
    expect(body).toMatch(/0\.1\.1.*0\.1\.2/);
    expect(body).toContain("Windows pool win1: diskSizeGB for new nodes");
    expect(readFileSync(at("summary.md"), "utf8")).toContain("Windows pool win1: diskSizeGB for new nodes");
  });
}
