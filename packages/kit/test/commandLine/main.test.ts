import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { answer } from "capz-windows-kit/commandLine/main";
import { ConfigError } from "capz-windows-kit/problem";
import { readRecordedStacks } from "capz-windows-test-kit/recordedStacks";
import { said } from "capz-windows-test-kit/said";

readRecordedStacks();

class KnownError extends Error {}

/** A command that has --out. */
const look = { call: "npm run look --", options: ["out"] } as const;

/** What the end of a command prints, and its exit code. */
async function ended(command: () => Promise<number>, definition: Parameters<typeof answer>[0] = look) {
  const { code, err } = await said(() => answer(definition, [], [KnownError], command));
  return { code, err };
}

const failsWith = (
  message: string,
  more: Partial<NodeJS.ErrnoException>,
  Kind: new (message: string) => Error = Error,
) => ended(() => Promise.reject(Object.assign(new Kind(message), more)));

describe("an error of the file system that a user can help is one line", () => {
  const inPath = ["EACCES", "EPERM", "EROFS", "EEXIST", "EISDIR", "ELOOP", "ENAMETOOLONG"].map(
    (code) => [code, "mkdir", "/p"] as const,
  );
  it.each<readonly [code: string, syscall: string, path: string | undefined]>([
    ...inPath,
    ...["ENOSPC", "EDQUOT", "EFBIG"].map((code) => [code, "write", undefined] as const),
    ["ENOENT", "mkdtemp", "/none/capz-windows-XXXXXX"],
    ["EACCES", "open", "/p/Pulumi.dev.yaml"],
  ])("%s of %s", async (code, syscall, path) => {
    const message = `${code}: words, ${syscall}`;
    const option = /^(mkdir|write)$/.test(syscall) ? " with --out DIR" : "";
    expect(await failsWith(message, { code, syscall, ...(path && { path }) })).toEqual({
      code: 1,
      err: `${message}. Make this path usable, or name another one${option}.\n`,
    });
  });

  it("a folder that is a file, in a command without --out", async () => {
    const dir = mkdtempSync(join(tmpdir(), "capz-windows-main-"));
    try {
      const path = join(dir, "file", "folder");
      writeFileSync(join(dir, "file"), "");
      const make = () => Promise.resolve(mkdirSync(path, { recursive: true })).then(() => 0);
      // Not rejected but thrown, as in commands.
      expect(await ended(async () => make(), { ...look, options: [] })).toEqual({
        code: 1,
        err: `ENOTDIR: not a directory, mkdir '${path}'. Make this path usable, or name another one.\n`,
      });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

it.each<[string, () => unknown]>([
  ["a path", () => readFileSync("a\0b")],
  ["an argument", () => spawnSync("true", ["a\0b"])],
  ["an address", () => new URL("https://a b/")],
  ["a path of an address", () => request("http://127.0.0.1:1", { path: "/a\u0001" })],
  ["a header", () => request("http://127.0.0.1:1", { headers: { authorization: "Bearer a\nb" } })],
])("%s with a character that cannot be there is no bug", async (_, call) => {
  expect(await ended(() => Promise.resolve().then(call) as Promise<number>)).toEqual({
    code: 1,
    err: "A name, a path, an address or a login has a character that cannot be there, such as a control character or a line end.\n",
  });
});

describe("the last resort is one line, which says how to report it, for", () => {
  const cases: [string, string, object][] = [
    ["any other error", "oops", {}],
    [
      "a program that cannot be started",
      "spawn git EACCES",
      { code: "EACCES", syscall: "spawn git", path: "git" },
    ],
    ["a file that should be there", "ENOENT: open 'x'", { code: "ENOENT", syscall: "open", path: "x" }],
  ];

  it.each(cases)("%s", async (_, message, more) => {
    const { code, err } = await failsWith(message, more);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^This is a bug of this program: Error: .* \((?:packages\/[\w./]+:\d+|an unknown place)\)\. Please report this line and the command, without secrets, as an issue; CAPZ_WINDOWS_DEBUG=1 prints more\.\n$/,
    );
    expect(err).toContain(message);
  });

  it("a message with control characters and newlines", async () => {
    const { err } = await failsWith("a\nb\u001b[2J\u202e", {});
    expect(err).toContain("Error: a⏎b\\u001b[2J\\u202e (");
    expect(err.split("\n")).toHaveLength(2);
  });

  it("whoever asks for the stack trace", async () => {
    process.env.CAPZ_WINDOWS_DEBUG = "1";
    try {
      expect((await failsWith("oops", {})).err).toContain("Error: oops\n    at ");
    } finally {
      delete process.env.CAPZ_WINDOWS_DEBUG;
    }
  });
});

it("an error that a command knows is its message", async () => {
  expect(await failsWith("a is b.", { code: "EACCES", path: "a" }, KnownError)).toEqual({
    code: 1,
    err: "a is b.\n",
  });
});

describe("what a network can do is one line", () => {
  const advice = "Check the address, your network and HTTPS_PROXY, then run the command again.";

  it.each<[string, Error, string]>([
    [
      "a firewall of this machine",
      Object.assign(new Error("connect EACCES 10.0.0.1:443"), { code: "EACCES", syscall: "connect" }),
      `No connection: connect EACCES 10.0.0.1:443. ${advice}`,
    ],
    [
      "fetch, whose own message says nothing",
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("getaddrinfo ENOTFOUND a.example"), { code: "ENOTFOUND" }),
      }),
      `No connection: getaddrinfo ENOTFOUND a.example. ${advice}`,
    ],
    [
      "all addresses of a name",
      Object.assign(
        new AggregateError([
          new Error("connect ECONNREFUSED ::1:1"),
          new Error("connect ECONNREFUSED 127.0.0.1:1"),
        ]),
        { code: "ECONNREFUSED" },
      ),
      `No connection: connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1. ${advice}`,
    ],
    [
      "a time limit",
      new DOMException("The operation was aborted due to timeout", "TimeoutError"),
      `No connection: The operation was aborted due to timeout. ${advice}`,
    ],
    [
      "a proxy that inspects TLS",
      Object.assign(new Error("self-signed certificate in certificate chain"), {
        code: "SELF_SIGNED_CERT_IN_CHAIN",
      }),
      "self-signed certificate in certificate chain (SELF_SIGNED_CERT_IN_CHAIN). If a proxy of your company inspects TLS, name its certificate: NODE_EXTRA_CA_CERTS=FILE.",
    ],
  ])("%s", async (_, error, text) => {
    expect(await ended(() => Promise.reject(error))).toEqual({ code: 1, err: `${text}\n` });
  });
});

it("a wrong command line gets one line, and where its help is", async () => {
  expect(await ended(() => Promise.reject(new UsageError("Name a stack: a, b.")))).toEqual({
    code: 64,
    err: "Name a stack: a, b.\nAll options: npm run look -- --help\n",
  });
});

it("with JSON as the format an error is a document, with the problems of the stack file, and the exit code is the same", async () => {
  const problem = {
    ...{ path: "windowsPools.win1.replicas", value: -1, problem: "too small" },
    ...{ allowed: "0 or more", write: "replicas: 0" },
  };
  const out: string[] = [];
  // A terminal, on which the text has colors.
  const { isTTY } = process.stderr;
  Object.assign(process.stderr, { isTTY: true, hasColors: () => true });
  const spies = [
    jest.spyOn(process.stdout, "write").mockImplementation((text) => out.push(String(text)) > 0),
    jest.spyOn(process.stderr, "write").mockReturnValue(true),
  ];
  const failing = (argv: string[], error: Error) =>
    answer(look, argv, [KnownError], () => Promise.reject(error));
  const found = { ...problem, line: 18 };
  const wrong = new ConfigError("Pulumi.dev.yaml", [{ ...found, uses: ["windowsPools"], fix: [] }]);
  try {
    expect(await failing(["--json"], wrong)).toBe(1);
    expect(JSON.parse(out.join(""))).toEqual({
      ...{ version: 1, problems: [found] },
      error: wrong.message,
    });
    out.length = 0;
    const secret = { ...found, path: "proxy.url", value: "http://u:Pw0rdProxyDd@proxy:3128" };
    await failing(["--json"], new ConfigError("Pulumi.dev.yaml", [secret]));
    expect(out.join("")).toContain('"value": "(not shown: may be a secret)"');
    expect(out.join("")).not.toContain("Pw0rdProxyDd");
    out.length = 0;
    expect(await failing(["--format", "json"], new KnownError("no network"))).toBe(1);
    expect(JSON.parse(out.join(""))).toEqual({ version: 1, error: "no network", problems: [] });
    out.length = 0;
    expect(await failing(["--format=json", "--stack"], new UsageError("--stack needs a value."))).toBe(64);
    expect(JSON.parse(out.join(""))).toEqual({
      ...{ version: 1, problems: [] },
      error: "--stack needs a value.\nAll options: npm run look -- --help",
    });
    out.length = 0;
    expect(await failing(["--format", "text"], wrong)).toBe(1);
    expect(out).toEqual([]);
  } finally {
    spies.forEach((spy) => {
      spy.mockRestore();
    });
    Object.assign(process.stderr, { isTTY });
    Reflect.deleteProperty(process.stderr, "hasColors");
  }
});
