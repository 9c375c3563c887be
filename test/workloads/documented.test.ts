import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "capz-types";
import { policyObjects } from "capz-windows-platform/workloads/admissionPolicy";
import { runtimeClassObject, windowsClasses } from "capz-windows-platform/workloads/runtimeClasses";
import { readText } from "../architecture/sources";
import { namespace } from "../apiserver/applier";
import { ApiServer } from "../apiserver/client";
import { Rigs } from "../life/support/rig";
import { projectDir } from "../support/stacks";
import { workloads } from "../../packages/windows-workloads/test/support";

/** The manifests to which docs/workloads.md links. */
const folder = join(projectDir, "docs/workloads");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .sort();
const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
const textOf = (file: string): string => readFileSync(join(folder, file), "utf8");
const objectsOf = (file: string): KubernetesObject[] =>
  parseAllDocuments(textOf(file)).map((document) => document.toJS() as KubernetesObject);

describe("the manifests of docs/workloads.md", () => {
  it("are all linked there, and each link has its manifest", () => {
    const links = [...readText("docs/workloads.md").matchAll(/\(workloads\/([\w-]+\.yaml)\)/g)].map(
      ([, file]) => file,
    );
    expect([...new Set(links)].sort()).toEqual(files);
  });

  it.each(pages)("%s is in the index, and links to files that exist", (page) => {
    expect(readText("docs/workloads.md")).toContain(`(workloads/${page})`);
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
    // Short enough to be read during an outage.
    expect(textOf(page).split("\n").length).toBeLessThan(45);
  });

  it("name each network mode of the guides", () => {
    const modes = [
      ...["Calico", "Flannel", "wincni", "win-bridge", "l2bridge", "win-overlay", "Azure CNI", "OVN", "OVS"],
      ...[
        "Weave",
        "Cilium",
        "Antrea",
        "NAT",
        "transparent",
        "l2tunnel",
        "Hyper-V isolation",
        "policies only",
      ],
    ];
    const rows = textOf("network-modes.md")
      .split("\n")
      .filter((line) => line.startsWith("| "));
    expect(modes.filter((mode) => !rows.some((row) => row.split("|")[1]?.includes(mode)))).toEqual([]);
    expect(rows.slice(2).filter((row) => (row.split("|")[4] ?? "").trim() === "")).toEqual([]);
  });

  it.each(files)("%s runs on the pools of a stack, as npm run workloads says", async (file) => {
    // The example everything has the webhook for gMSA. All other manifests need only add-ons that are on by default.
    const stack = file === "gmsa.yaml" ? "everything" : "prod";
    const { code, out } = await workloads({ "m.yaml": textOf(file) }, ["--offline"], {}, stack);
    expect(out).not.toMatch(/does not start|stay pending|error/);
    expect(code).toBe(0);
  });
});

const rig = process.env.CAPZ_WINDOWS_RIG;

if (rig === undefined || rig === "") {
  it.skip("skipped: CAPZ_WINDOWS_RIG names no program that starts an API server for tests", () => undefined);
} else {
  describe("an API server with RuntimeClasses and denying policies", () => {
    const rigs = new Rigs({ rig, controllers: "" });
    let server: ApiServer;
    const apply = async (object: KubernetesObject, dryRun: boolean) => {
      const { status, body } = await server.apply(object, { dryRun });
      return status < 300 ? undefined : `${object.kind} ${object.metadata.name}: ${body.message ?? status}`;
    };

    beforeAll(async () => {
      server = new ApiServer(await rigs.start("documented"));
      const windowsServers = ["2022", "2025"];
      const classes = windowsClasses(windowsServers, false);
      const made = [
        namespace("shop"),
        ...classes.map(runtimeClassObject),
        ...policyObjects({ mode: "deny", windowsServers, classes, hostProcessNamespaces: [] }),
      ];
      expect((await Promise.all(made.map((object) => apply(object, false)))).filter(Boolean)).toEqual([]);
      // The API server enforces policies only a moment after they are written.
      const wrong = objectsOf("first-pod.yaml").map(
        (object) => JSON.parse(JSON.stringify(object).replace("ltsc2022", "ltsc2019")) as KubernetesObject,
      )[0]!;
      for (const end = Date.now() + 30_000; (await apply(wrong, true)) === undefined;) {
        expect(Date.now()).toBeLessThan(end);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    });
    afterAll(async () => {
      server.close();
      await rigs.stopAll();
    });

    it.each(files)("accepts %s", async (file) => {
      const answers = [];
      for (const object of objectsOf(file)) {
        answers.push(await apply(object, false));
      }
      expect(answers.filter(Boolean)).toEqual([]);
    });
  });
}
