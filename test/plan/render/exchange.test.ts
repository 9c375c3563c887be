import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { exchangeFolder } from "capz-windows-kit/commandLine/exchangeFolder";
import { checkOutput, keepOthers, planFiles, renderPlan } from "../../../plan/render/render";
import { filesIn } from "../../support/filesIn";
import { planOf } from "../../support/plans";

/** A plan that is killed leaves the old plan or the new one, and the next one leaves nothing beside it. */

const work = mkdtempSync(join(tmpdir(), "capz-windows-exchange-"));
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

/** Calls that change a file system. */
const calls = ["mkdirSync", "writeFileSync", "renameSync", "rmSync"] as const;

/** A process that ends at its nth change of the file system: nothing that comes later, such as a `finally`, happens. */
function killedAt(nth: number, run: () => void): boolean {
  const { pid } = process;
  // No process has this number.
  Object.defineProperty(process, "pid", { value: 2 ** 30, configurable: true });
  let left = nth;
  const spies = calls.map((name) => {
    const original = fs[name] as (...args: unknown[]) => unknown;
    return jest.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
      left -= 1;
      if (left < 0) {
        throw new Error("killed");
      }
      return original(...args);
    }) as never);
  });
  try {
    run();
    return false;
  } catch (error) {
    expect((error as Error).message).toBe("killed");
    return true;
  } finally {
    spies.forEach((spy) => {
      spy.mockRestore();
    });
    Object.defineProperty(process, "pid", { value: pid, configurable: true });
  }
}

type Texts = Readonly<Record<string, string>>;

const older: Texts = { "plan.json": "old", "nodes/win1/user-data.txt": "old", "azure/gone.json": "old" };
const newer: Texts = { "plan.json": "new", "nodes/win1/user-data.txt": "new", "management/00-a.yaml": "new" };

/** As a plan is written, with few files. */
const put = (texts: Texts, out: string): void => {
  checkOutput(out);
  exchangeFolder(
    out,
    (folder) => {
      for (const [path, text] of Object.entries(texts)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    },
    keepOthers(out),
  );
};

const inFolder = (folder: string): Texts => Object.fromEntries(existsSync(folder) ? filesIn(folder) : []);

it.each([false, true])("killed at any moment, with an older plan: %s", (hasOlder) => {
  let wasKilled = true;
  for (let nth = 0; wasKilled; nth += 1) {
    const out = join(work, `${hasOlder}-${nth}`, "dev");
    mkdirSync(dirname(out));
    const notes: Texts = hasOlder ? { "notes.txt": "of the user" } : {};
    if (hasOlder) {
      put(older, out);
      writeFileSync(join(out, "notes.txt"), "of the user");
    }
    wasKilled = killedAt(nth, () => {
      put(newer, out);
    });
    // The next command first brings back what was put aside.
    checkOutput(out);
    expect([
      { ...(hasOlder ? older : {}), ...notes },
      { ...newer, ...notes },
    ]).toContainEqual(inFolder(out));
    expect(readdirSync(dirname(out)).filter((name) => name !== "dev")).toEqual([]);
    put(newer, out);
    expect(inFolder(out)).toEqual({ ...newer, ...notes });
    expect(readdirSync(dirname(out))).toEqual(["dev"]);
  }
});

it.each([1, 2, 3, 4])("of two that write one folder at the same time, one is there as a whole: %d", (nth) => {
  const out = join(work, `both-${nth}`, "dev");
  mkdirSync(dirname(out));
  put(older, out);
  const { renameSync } = fs;
  let renames = 0;
  const spy = jest.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    renames += 1;
    // Between two renames of the one, the other does all of its work.
    if (renames === nth) {
      put(older, out);
    }
    renameSync(from, to);
  });
  put(newer, out);
  spy.mockRestore();
  expect([older, newer]).toContainEqual(inFolder(out));
  expect(readdirSync(dirname(out))).toEqual(["dev"]);
});

it("a plan is written so, and what its folder has beside it stays", async () => {
  const out = join(work, "plan", "dev");
  put(older, out);
  writeFileSync(join(out, "notes.txt"), "of the user");
  const others = join(work, "others");
  mkdirSync(others);
  writeFileSync(join(others, "of-others.txt"), "never looked at");
  const plan = await planOf("existing");
  renderPlan(plan, out);
  symlinkSync(others, join(out, "nodes", "link"));
  const read = jest.spyOn(fs, "readdirSync");
  renderPlan(plan, out);
  const seen = read.mock.results.flatMap(({ value }) => value as unknown);
  read.mockRestore();
  expect(seen.length).toBeGreaterThan(20);
  expect(
    seen.map((entry) => (typeof entry === "string" ? entry : (entry as fs.Dirent).name)).join(),
  ).not.toContain("of-others");
  expect(inFolder(others)).toEqual({ "of-others.txt": "never looked at" });
  const { "notes.txt": notes, ...files } = inFolder(out);
  expect({ notes, files: Object.keys(files).sort() }).toEqual({
    notes: "of the user",
    files: [...planFiles(plan).keys()].sort(),
  });
});

it("a link to nothing is refused before anything is written, as what it is", () => {
  const link = join(work, "to-nothing");
  symlinkSync(join(work, "nowhere"), link);
  const write = jest.fn();
  expect(() => {
    exchangeFolder(link, write, () => undefined);
  }).toThrow(/^EEXIST: file already exists, mkdir/);
  expect(write).not.toHaveBeenCalled();
});
