import { join } from "node:path";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { readArguments, run } from "../../commands/preflight/cli/main";
import { LoginError } from "../../commands/azure/credential";
import { projectDir, exampleFile } from "../support/stacks";
import { ArmStandIn, own, refused } from "./armStandIn";

const azure = new ArmStandIn();
let endpoint: string;

beforeAll(async () => {
  endpoint = await azure.listen();
});

afterAll(() => {
  azure.close();
});

describe("the command", () => {
  const file = join(projectDir, exampleFile("dev"));

  it("refuses wrong arguments", () => {
    expect(() => readArguments(["--stak", "dev"])).toThrow(
      new UsageError("error: unknown option '--stak' (Did you mean --stack?)"),
    );
    expect(() => readArguments(["dev"], { npm_config_stack: "true" })).toThrow(
      new UsageError(
        "npm takes options for itself unless `--` stands before them: npm run preflight -- --stack dev",
      ),
    );
  });

  it("prints JSON or a table, and a message without a login", async () => {
    const texts = { stdout: "", stderr: "" };
    const spies = (["stdout", "stderr"] as const).map((name) =>
      jest.spyOn(process[name], "write").mockImplementation((text) => {
        texts[name] += String(text);
        return true;
      }),
    );
    try {
      azure.change = (_, url) =>
        /^\/subscriptions\/[^/]+$/.test(url.pathname) ? refused(404, "SubscriptionNotFound") : undefined;
      const arm = { endpoint, token: () => Promise.resolve("simulated") };
      const noLogin = { token: () => Promise.reject(new LoginError("There is no login to Azure: x")) };
      const options = { fetch: own("203.0.113.7") };
      expect(await run(["--config-file", file, "--json"], { ...options, arm })).toBe(3);
      expect(JSON.parse(texts.stdout)).toMatchObject({
        version: 1,
        stack: "dev",
        rows: [{ state: "error" }],
      });
      texts.stdout = "";
      expect(await run(["--config-file", file], { ...options, arm })).toBe(3);
      expect(texts.stdout).toMatch(
        /^x subscription {2}\S+ does not exist, or this login has no access to it[^]*1 thing stands in the way of pulumi up --stack dev\.\n$/,
      );
      expect(await run(["--config-file", file], { ...options, arm: noLogin })).toBe(1);
      expect(texts.stderr).toBe("There is no login to Azure: x\n");
    } finally {
      spies.forEach((spy) => {
        spy.mockRestore();
      });
    }
  });
});
