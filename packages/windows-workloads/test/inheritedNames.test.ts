import { podYaml, workloads } from "./support";

/** Names that every object of JavaScript has are names like others in manifests. */

it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])(
  "an image called %s has no answer that nobody recorded",
  async (name) => {
    const { out, err } = await workloads({ "m.yaml": podYaml({}, name) }, ["--offline"]);
    expect(err).toBe("");
    expect(out).not.toContain("recorded");
    expect(out).toContain(name);
  },
);
