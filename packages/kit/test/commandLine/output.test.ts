import * as fc from "fast-check";
import { guardOutput, printable, writeLogCommands, writeMarkdown } from "capz-windows-kit/commandLine/output";
import { prose } from "capz-windows-kit/markdown";
import { visible } from "capz-windows-kit/visible";
import { said } from "capz-windows-test-kit/said";

/** Values from clusters, clouds and files control neither a terminal nor a pipeline. */

const control = /(?![\t\n\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

it("a value is one line of visible characters", () => {
  expect(visible("a\r\nb\u001b]52;c;x\u0007\u202e")).toBe("a⏎b\\u001b]52;c;x\\u0007\\u202e");
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      (text) => !control.test(visible(text)) && !visible(text).includes("\n"),
    ),
  );
});

it("a text without colors has no control character at all", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => !control.test(printable(text, false, false))),
  );
});

it("a terminal gets the styles and the progress line of the program, and nothing else", () => {
  const own = "\r\u001b[2K\u001b[1mbold\u001b[22m \u001b[31mred\u001b[39m";
  expect(printable(own, true, false)).toBe(own);
  expect(printable(own, false, false)).not.toMatch(control);
  expect(printable("an error\r\u001b[2Kall is well", true, false)).toBe(
    "an error\\u000d\\u001b[2Kall is well",
  );
  expect(printable("\u001b[8m\u001b[2J\u001b]52;c;eA==\u0007\u001b[10A", true, false)).toBe(
    "\\u001b[8m\\u001b[2J\\u001b]52;c;eA==\\u0007\\u001b[10A",
  );
});

it("JSON stays JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
      const document = JSON.stringify({ value, text });
      expect(JSON.parse(printable(document, false, false))).toEqual(JSON.parse(document));
    }),
  );
});

it("in a pipeline no value is a command of the log", () => {
  const text = "ok\n::set-output name=a::b\n  ::add-mask::c\nx ##vso[task.setvariable a]b ##[error]c\n";
  expect(printable(text, false, true)).toBe(
    "ok\n⏎::set-output name=a::b\n  ⏎::add-mask::c\nx # #vso[task.setvariable a]b # #[error]c\n",
  );
  expect(printable(text, false, false)).toBe(text);
});

it("Markdown keeps what makes a value plain text, and has no other hidden character and no command", async () => {
  const { out } = await said(() => {
    const restore = guardOutput({ GITHUB_ACTIONS: "true" });
    writeMarkdown(`${prose("@team #1 \u202e")}\n\u200b::error::x\n`, { GITHUB_ACTIONS: "true" });
    restore();
    return Promise.resolve(0);
  });
  expect(out).toBe("\u2060@\u2060team \\#\u20601 \\\\u\\{202e\\}\n\\u200b::error::x\n");
});

it("both streams are guarded, and annotations are not", async () => {
  const { out, err } = await said(() => {
    const restore = guardOutput({ GITHUB_ACTIONS: "true" });
    process.stdout.write("a\u001b[2J\n::error::x\n");
    process.stderr.write(Buffer.from("b\u0007"));
    writeLogCommands("::error::y\n");
    restore();
    process.stdout.write("\u001b");
    return Promise.resolve(0);
  });
  expect(out).toBe("a\\u001b[2J\n⏎::error::x\n::error::y\n\u001b");
  expect(err).toBe("b\\u0007");
});
