import { refuse, UsageError } from "capz-windows-kit/commandLine/arguments";
import {
  chooseCommand,
  defineCommand,
  parseCommand,
  stackArgument,
} from "capz-windows-kit/commandLine/command";
import { type OptionName, optionTable } from "capz-windows-kit/commandLine/options";
import { answer } from "capz-windows-kit/commandLine/main";
import { said } from "capz-windows-test-kit/said";

const look = defineCommand({
  call: "npm run look --",
  about: "Looks.",
  args: stackArgument,
  options: ["stack", "configFile", "json", "timeout", "planReports", "failOn", "all", "outStack", "engine"],
  notes: "It only reads.",
  examples: { "npm run look -- dev": "All of it" },
  exitCodes: { 0: "seen", 2: "not seen" },
});

const parsed = (argv: readonly string[], env: NodeJS.ProcessEnv = {}) => parseCommand(look, argv, env);

it("values have the names and the types of the table", () => {
  const argv = ["--report", "a.md", "dev", "--json", "--timeout=5", "--report", "b.json", "--fail-on", "any"];
  const absent = {
    stack: undefined,
    configFile: undefined,
    all: false,
    outStack: undefined,
    engine: undefined,
  };
  expect(parsed(argv)).toEqual({
    values: { ...absent, json: true, timeout: 5, planReports: ["a.md", "b.json"], failOn: "any" },
    args: ["dev"],
  });
  expect(parsed([])).toEqual({
    values: { ...absent, json: false, timeout: 90, planReports: [], failOn: undefined },
    args: [],
  });
});

it.each([
  [["--stak", "dev"], "error: unknown option '--stak' (Did you mean --stack?)"],
  [["-x"], "error: unknown option '-x'"],
  [["dev", "prod"], "error: too many arguments. Expected 1 argument but got 2."],
  [["--stack"], "error: option '-s, --stack <NAME>' argument missing"],
  [
    ["--stack", "--json"],
    "error: option '-s, --stack <NAME>' argument '--json' is invalid. It is another option: the value is missing.",
  ],
  [["--json=yes"], "error: unknown option '--json=...'"],
  [["--password=hunter2"], "error: unknown option '--password=...'"],
  [
    ["--timeout", "soon"],
    "error: option '--timeout <MIN>' argument 'soon' is invalid. Allowed are minutes up to 10080.",
  ],
  [
    ["--report", "a.doc"],
    "error: option '--report <FILE>' argument 'a.doc' is invalid. Allowed extensions are .txt, .md, .json, .html, .sarif.",
  ],
  [
    ["--fail-on", "rolls"],
    "error: option '--fail-on <GATE>' argument 'rolls' is invalid. Allowed choices are destructive, any.",
  ],
  [["--all", "-s", "dev"], "error: option '--all' cannot be used with option '-s, --stack <NAME>'"],
])("refuses %j", (argv, message) => {
  expect(() => parsed(argv)).toThrow(new UsageError(message));
});

// For `--stack dev`, npm passes on only `dev`; for `--stack=dev`, it passes on nothing.
it.each<[string[], NodeJS.ProcessEnv, string]>([
  [["dev"], { npm_config_stack: "true" }, "npm run look -- --stack dev"],
  [
    [],
    { npm_config_config_file: "a.yaml", npm_config_json: "true" },
    "npm run look -- --config-file a.yaml --json",
  ],
])("says that npm took %j %j", (argv, env, command) => {
  expect(() => parsed(argv, env)).toThrow(
    new UsageError(`npm takes options for itself unless \`--\` stands before them: ${command}`),
  );
});

it("says the action of a command whose options npm took", () => {
  const action = { ...look, call: "npm run look -- twice" };
  expect(() => parseCommand(action, ["dev"], { npm_config_stack: "true" })).toThrow(
    new UsageError(
      "npm takes options for itself unless `--` stands before them: npm run look -- twice --stack dev",
    ),
  );
});

it("takes no setting of npm's own for an option", () => {
  const env = { npm_config_json: "true", npm_config_all: "", npm_config_help: "true" };
  expect(parsed(["--stack", "dev"], env).values).toMatchObject({ stack: "dev", json: false, all: false });
});

const work = (argv: readonly string[]) =>
  said(() =>
    answer(look, argv, [], () => {
      parsed(argv);
      return Promise.resolve(2);
    }),
  );

it("prints its help, with examples and exit codes, and nothing that is hidden", async () => {
  const { code, out, err } = await work(["dev", "--help", "extra"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("Usage: npm run look -- [options] [stack]\n\nLooks.\n\nArguments:\n");
  expect(out).toMatch(/\n  --fail-on <GATE> .*\n.*\(choices: "destructive", "any"\)\n/);
  expect(out).not.toContain("--engine");
  expect(out).toMatch(
    /\n\nIt only reads\.\n\nExamples:\n  # All of it\n  npm run look -- dev\n\nExit codes:\n  0    seen\n  2    not seen\n  64   wrong arguments\n$/,
  );
});

it("answers wrong arguments with one line, and with where its help is", async () => {
  expect(await work(["--stack"])).toEqual({
    code: 64,
    out: "",
    err: "error: option '-s, --stack <NAME>' argument missing\nAll options: npm run look -- --help\n",
  });
  expect((await work(["dev"])).code).toBe(2);
});

it("names the option that says where to write", async () => {
  const error = Object.assign(new Error("full"), { code: "ENOSPC", syscall: "write" });
  expect((await said(() => answer(look, [], [], () => Promise.reject(error)))).err).toBe(
    "full. Make this path usable, or name another one with --out FILE.\n",
  );
});

describe("a command of several", () => {
  const group = { call: "npm run work --", about: "Works.", notes: "Exit codes: those of the command." };
  const chosen = (...argv: string[]) =>
    chooseCommand(group, { look: "looks", plan: "plans" }, undefined, argv);

  it("is the first argument", () => {
    expect(chosen("plan", "--help", "look")).toEqual({ name: "plan", argv: ["--help", "look"] });
    expect(chosen("help", "look")).toEqual({ name: "look", argv: ["--help"] });
  });

  it.each([
    ["plam", "error: unknown command 'plam' (Did you mean plan?)"],
    ["constructor", "error: unknown command 'constructor'"],
    ["--stack", "error: unknown option '--stack'"],
  ])("is not %s", (word, message) => {
    expect(() => chosen(word)).toThrow(new UsageError(message));
  });

  it.each([[[]], [["--help"]], [["help"]]])("or the help: %j", async (argv) => {
    const { code, out } = await said(() =>
      answer({ ...group, options: [] }, argv, [], () => Promise.reject(new Error(chosen(...argv).name))),
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: npm run work -- \[options\] \[command\]\n\nWorks\.\n/);
    expect(out).toMatch(/\n  look +looks\n  plan +plans\n\nExit codes: those of the command\.\n$/);
  });
});

it("is refused by the first check that is true", () => {
  expect(() => {
    refuse([
      [false, "a"],
      [true, "b"],
      [true, "c"],
    ]);
  }).toThrow(new UsageError("b"));
});

describe("a control character in a value is refused in words", () => {
  const names = Object.keys(optionTable) as OptionName[];
  const withValue = names.filter((name) => optionTable[name].flags.includes("<"));

  it.each(withValue)("of the option %s", (name) => {
    const definition = { ...look, options: [name] };
    const [long = ""] = /--[\w-]+/.exec(optionTable[name].flags) ?? [];
    for (const control of name === "explain" ? ["\0"] : ["\0", "\u0001", "\u001b[2J", "\u007f"]) {
      expect(() => parseCommand(definition, [`${long}=a${control}b`], {})).toThrow(UsageError);
    }
  });

  it("of an argument", () => {
    expect(() => parsed(["a\0b"])).toThrow("An argument: its value has a control character.");
  });

  it("and a message to explain may have colors", () => {
    const definition = { ...look, options: ["explain"] } as const;
    const text = "a\u001b[31mb\nc";
    expect(parseCommand(definition, ["--explain", text], {}).values).toEqual({ explain: text });
  });
});
