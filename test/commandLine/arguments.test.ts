import { parseCommand, refuse, type Options, UsageError } from "../../commands/commandLine/arguments";

const options = {
  stack: { type: "string" },
  "config-file": { type: "string" },
  save: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

const parsed = (argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  parseCommand("look", { options }, argv, env).values;

describe("the arguments of a command", () => {
  it("have the types of their options", () => {
    expect(parsed(["--stack", "dev", "--json"])).toMatchObject({ stack: "dev", json: true, help: false });
  });

  it.each([
    [["--stak", "dev"], "There is no option --stak. Do you mean --stack?"],
    [["-s", "dev"], "There is no option -s."],
    [["dev"], "dev is not the value of an option. This command takes options only."],
    [["--stack"], "--stack needs a value."],
    [["--stack", "--json"], "--stack needs a value."],
    [["--json=yes"], "--json takes no value."],
    [["--help=yes"], "--help takes no value."],
  ])("that are wrong: %j", (argv, message) => {
    expect(() => parsed(argv)).toThrow(new UsageError(message));
  });

  it("may be files", () => {
    expect(parseCommand("look", { options, allowPositionals: true }, ["dev"], {}).positionals).toEqual([
      "dev",
    ]);
  });

  // For `--stack dev`, npm passes on only `dev`; for `--stack=dev`, it passes on nothing.
  it.each<[string[], NodeJS.ProcessEnv, string]>([
    [["dev"], { npm_config_stack: "true" }, "npm run look -- --stack dev"],
    [
      [],
      { npm_config_config_file: "a.yaml", npm_config_json: "true" },
      "npm run look -- --config-file a.yaml --json",
    ],
  ])("that npm took for itself are told: %j %j", (argv, env, command) => {
    expect(() => parsed(argv, env)).toThrow(
      new UsageError(`npm takes options for itself unless \`--\` stands before them: ${command}`),
    );
  });

  it("may be names of npm's own settings, which a user's .npmrc has", () => {
    const env = { npm_config_json: "true", npm_config_save: "", npm_config_help: "true" };
    expect(parsed(["--stack", "dev"], env)).toMatchObject({ stack: "dev", json: false });
  });

  it("are refused by the first check that is true", () => {
    expect(() => {
      refuse([
        [false, "a"],
        [true, "b"],
        [true, "c"],
      ]);
    }).toThrow(new UsageError("b"));
    expect(() => {
      refuse([]);
    }).not.toThrow();
  });
});
