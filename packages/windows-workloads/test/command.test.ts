import { podYaml, workloads } from "./support";

describe("the command", () => {
  it.each([[["--color"], 64, "error: unknown option '--color'\nAll options: npm run workloads -- --help\n"]])(
    "%j ends with %i",
    async (args, code, message) => {
      const ran = await workloads({ "m.yaml": podYaml({}) }, args);
      expect(ran.code).toBe(code);
      expect(ran.err).toContain(message);
    },
  );

  it("finds the pods of a manifest in UTF-16, as Windows PowerShell 5.1 writes it", async () => {
    const { code, out } = await workloads({ "m.yaml": Buffer.from(`\ufeff${podYaml({})}`, "utf16le") });
    expect(out).toContain("Pod default/p (/m.yaml, document 1)");
    expect(out).toContain("1 workload: all of them run");
    expect(code).toBe(0);
  });

  it.each([
    ["a file", { "m.yaml": " \n" }, ["--offline"], "/m.yaml: nothing in it\n"],
    ["the standard input", { "m.yaml": podYaml({}) }, ["--offline", "-"], "standard input: nothing in it\n"],
    [
      "a folder without manifests",
      { "m.yaml": podYaml({}), "a/read.me": "" },
      ["--offline", "DIR/a"],
      "/a: no .yaml, .yml or .json file in it\n",
    ],
  ])("fails when %s is empty, as it is after a helm template that failed", async (_, files, args, err) => {
    const ran = await workloads(files, args, { stdin: () => "" });
    expect({ ...ran, dir: "" }).toEqual({ code: 1, out: "", err, dir: "" });
  });

  it("reads the other files of a folder that has an empty one", async () => {
    // Manifests of packages are not the user's.
    const packages = { "a/node_modules/p/c.yaml": podYaml({}), "a/.cache/c.yaml": podYaml({}) };
    const files = { "m.yaml": podYaml({}), "a/empty.yaml": "", "a/b.yaml": podYaml({}), ...packages };
    const { code, out } = await workloads(files, ["--offline", "DIR/a"]);
    expect(out).toContain("2 workloads: all of them run");
    expect(code).toBe(0);
  });

  it("takes a name like a number for a text, as Kubernetes does", async () => {
    const { out } = await workloads({ "m.yaml": podYaml({}).replace('"p"', "e404") });
    expect(out).toContain("Pod default/e404 (/m.yaml, document 1)");
  });

  it("says which document is no YAML", async () => {
    const { code, err } = await workloads({ "m.yaml": "a: 1\n---\na: b: c\n" });
    expect(code).toBe(1);
    expect(err).toContain("/m.yaml, document 2 is no YAML to this reader: Nested mappings are not allowed");
  });

  it("says that kubectl takes the tabs at which it stops", async () => {
    const { code, err } = await workloads({ "m.yaml": 'a:\n  b: "one\n\ttwo"\n' });
    expect(code).toBe(1);
    expect(err).toBe(
      '/m.yaml, document 1 is no YAML to this reader: Missing closing "quote at line 2, column 10; kubectl takes tabs before a line of a text in quotes, and this reader does not\n',
    );
  });

  it.each([
    ["tabs in a text", 'a:\n  b: "one\n\ttwo"\n', " is no YAML to this reader: Missing closing"],
    ["another error", "a: b: c\n", " is no YAML to this reader: Nested mappings are not allowed"],
    ["no mapping", "plain words\n", ": this is no Kubernetes object, but a text or a list"],
    ["an alias without end", "a: &a [*a]\n", ": an alias is inside its own anchor"],
  ])("judges the others where a document has %s", async (_, broken, why) => {
    const text = `${podYaml({})}\n---\n${broken}---\n${podYaml({}).replace('"p"', '"q"')}\n`;
    const { code, out } = await workloads({ "m.yaml": text });
    expect(out).toContain("Pod default/p (/m.yaml, document 1)");
    expect(out).toContain("Pod default/q (/m.yaml, document 3)");
    expect(out).toContain(`not checked: /m.yaml, document 2${why}`);
    expect(out).toContain("2 workloads: all of them run");
    expect(out).toContain("; 1 document was not read\n");
    expect(code).toBe(0);
  });

  it("calls nothing missing that a document may have which was not read", async () => {
    const missing = {
      runtimeClassName: "of-mine",
      securityContext: { windowsOptions: { gmsaCredentialSpecName: "web" } },
      volumes: [{ name: "v", csi: { driver: "file.csi.azure.com" } }],
    };
    const claim = {
      volumes: [{ name: "v", ephemeral: { volumeClaimTemplate: { spec: { storageClassName: "fast" } } } }],
    };
    const text = `${podYaml(missing)}\n---\na: b: c\n---\n${podYaml(claim)}\n`;
    const { code, out } = await workloads({ "m.yaml": text });
    expect(out).toContain("whether there is a RuntimeClass of-mine, and which nodes it selects");
    expect(out).toContain("whether a gMSA webhook puts the credential spec web into pods");
    expect(out).toContain("whether the driver file.csi.azure.com runs");
    expect(out).toContain("whether there is a storage class fast");
    expect(code).toBe(0);
  });

  it.each([
    ["\u0001\u0002random", "/m.yaml, document 1: this is no Kubernetes object, but a text or a list\n"],
    ["plain words\n", "/m.yaml, document 1: this is no Kubernetes object, but a text or a list\n"],
    ["- a\n- b\n", "/m.yaml, document 1: this is no Kubernetes object, but a text or a list\n"],
  ])("%j is no list of workloads", async (text, message) => {
    const { code, out, err } = await workloads({ "m.yaml": text });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
  });

  it("takes kinds, names and labels that every object of JavaScript inherits", async () => {
    const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== "__proto__");
    const pods = names.map((name, index) =>
      JSON.stringify({
        ...{ apiVersion: "v1", kind: "Pod", metadata: { name: `p${index}`, labels: { [name]: name } } },
        spec: {
          nodeSelector: { "kubernetes.io/os": "linux", [name]: name },
          containers: [{ name: "c", image: "registry.k8s.io/pause:3.10" }],
        },
      }),
    );
    const others = names.map((kind) => JSON.stringify({ apiVersion: "v1", kind, metadata: { name: kind } }));
    const { code, out } = await workloads({ "m.yaml": [...pods, ...others].join("\n---\n") });
    expect(code).toBe(2);
    for (const name of names) {
      expect(out).toContain(`the nodeSelector ${name}: ${name}, a label that no node has here`);
    }
    expect(out).not.toMatch(/native code|undefined/);
  });
});
