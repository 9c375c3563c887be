import fc from "fast-check";
import { stringify } from "yaml";
import { lineOf } from "../../config/policy/lines";

const text = `# A comment.
config:
  capz-windows:clusterName: test
  capz-windows:controlPlane: &plane
    replicas: 1
  capz-windows:windowsPools:
    win1:
      files:
        - path: C:/a
        - path: C:/b
          content: |
            replicas: 1
  capz-windows:registryMirror: {"paths": {"docker.io": "x"}}
  capz-windows:linuxPools: *plane
`;

test.each([
  ["clusterName", 3],
  ["capz-windows:clusterName", 3],
  ["controlPlane.replicas", 5],
  ["windowsPools.win1.files[1].path", 10],
  ["windowsPools.win1.files[1].content", 11],
  ['registryMirror.paths["docker.io"]', 13],
  // An alias has its keys at the anchor.
  ["linuxPools.replicas", 5],
  // What is not there: the mapping around it.
  ["controlPlane.audit", 4],
  ["windowsPools.win1.files[7].path", 8],
  ["access.allowedCidrs", 2],
  ["", 2],
  // Errors of YAML have their place.
  ["line 12, column 3", 12],
])("%s is in line %i", (path, line) => {
  expect(lineOf(text, path)).toBe(line);
});

it("has a line for a file without a config, or that is not YAML", () => {
  expect(lineOf("", "protect")).toBe(1);
  expect(lineOf("a: [", "protect")).toBe(1);
});

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);

it("is where the value is, in whatever order the keys are", () => {
  const config = fc.uniqueArray(fc.tuple(name, fc.uniqueArray(name, { minLength: 1, maxLength: 4 })), {
    minLength: 1,
    maxLength: 5,
    selector: ([key]) => key,
  });
  fc.assert(
    fc.property(config, fc.nat(), fc.nat(), (keys, some, other) => {
      const [key, inner] = keys[some % keys.length]!;
      const wanted = inner[other % inner.length]!;
      const written = stringify({
        config: Object.fromEntries(
          keys.map(([at, names]) => [
            `capz-windows:${at}`,
            Object.fromEntries(names.map((one) => [one, at === key && one === wanted ? "HERE" : "other"])),
          ]),
        ),
      });
      const line = lineOf(written, `${key}.${wanted}`);
      expect(written.split("\n")[line - 1]).toContain("HERE");
    }),
  );
});
