import { shown } from "capz-windows-kit/visible";
import { reportWith, settingsWith } from "../support/stacks";

/** Names and values of tags that no request to Azure may have. */

const block = (...lines: string[]): string => lines.join("\n");

it("a control character in a value is refused, and shown as what it is", () => {
  expect(shown(reportWith({ tags: { team: "a\u0000b" } }))).toBe(
    block(
      "Pulumi.test.yaml: 1 problem",
      "",
      "  tags.team",
      "    value    a\\u0000b",
      "    problem  invalid format",
      "    allowed  a text of at most 256 characters without control characters",
      "    write    team: <an allowed value>",
    ),
  );
});

it("so it is in a name", () => {
  expect(shown(reportWith({ tags: { "a\u0000b": "team" } }))).toBe(
    block(
      "Pulumi.test.yaml: 1 problem",
      "",
      '  tags["a\\u0000b"]',
      "    problem  invalid name",
      "    allowed  1–512 characters, none of < > % & \\ ? / and no control characters",
      "    write    <another name than a\\u0000b>",
    ),
  );
});

const wrong = ["\0", "\u001b[31m", "\n", "\t", "\u0085", "\ud800", "\udfff", "\udfff\ud800"];

it.each(wrong)("%j is refused in names and values", (text) => {
  expect(reportWith({ tags: { team: `a${text}b` } })).toContain("without control characters");
  expect(reportWith({ tags: { [`a${text}b`]: "team" } })).toContain("no control characters");
});

it.each(["<", ">", "%", "&", "\\", "?", "/"])("%s is refused in names, and is a part of values", (text) => {
  expect(reportWith({ tags: { [`a${text}b`]: "team" } })).toContain(
    "allowed  1–512 characters, none of < > % & \\ ? / and no control characters",
  );
  expect(settingsWith({ tags: { team: `a${text}b` } }).tags).toEqual({ team: `a${text}b` });
});

it.each(["hidden-title", "k8s.io_cluster:x", "Team und Ort", "größe", "\u{1f600}"])(
  "%s is a name",
  (name) => {
    expect(settingsWith({ tags: { [name]: name } }).tags).toEqual({ [name]: name });
  },
);
