import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { parseAllDocuments } from "yaml";
import { readStackFile } from "../../config/stackFile";
import { planStack } from "../../plan/cli/planStack";
import { planFiles, renderPlan } from "../../plan/render/render";
import { filesIn } from "../support/filesIn";
import { planFileInline, updateWithManifests } from "../support/inlinePlans";
import { exampleStacks, planOf } from "../support/plans";
import { testProject } from "../support/project";
import { publicKey, readExample } from "../support/stacks";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describe.each(exampleStacks)("what a plan of %s writes", (stack) => {
  it("has every directory that docs/plan.md names", async () => {
    const plan = await planOf(stack);
    const paths = [...planFiles(plan).keys()];
    const pools = [...Object.keys(plan.settings.linuxPools), ...Object.keys(plan.settings.windowsPools)];
    expect(paths).toEqual(
      expect.arrayContaining([
        "plan.json",
        // A stack in a VNET of others makes only the resource group.
        `azure/network-${plan.settings.network.existing === undefined ? "vnet" : "resource-group"}.json`,
        "nodes/control-plane/user-data.txt",
        ...pools.map((pool) => `nodes/${pool}/user-data.txt`),
        expect.stringMatching(/^management\/\d+-cluster-/),
        expect.stringMatching(/^workload\/\d+-.*-(calico|flannel).*\.yaml$/),
      ]),
    );
  });

  it("numbers the management objects so that each comes after the objects that it names", async () => {
    const files = [...planFiles(await planOf(stack)).keys()].filter((path) => path.startsWith("management/"));
    const at = (part: RegExp) => files.findIndex((path) => part.test(path));
    expect(at(new RegExp(`-namespace-${stack}\\.`))).toBeLessThan(at(/azureclusteridentity/));
    expect(at(/azureclusteridentity/)).toBeLessThan(at(/kubeadmcontrolplane/));
    expect(at(/azuremachinetemplate/)).toBeLessThan(at(/kubeadmcontrolplane/));
    expect(at(/\d-kubeadmconfig-/)).toBeLessThan(at(/\d-machinepool-/));
    // The Calico set needs the API server, and no node needs the other one; before that, their contents do not matter.
    const afterCluster = files.slice(at(/\d-cluster-/) + 1).map((file) => file.replace(/.*\d\d-/, ""));
    expect(afterCluster).toEqual(
      stack === "dockershim"
        ? []
        : [
            // The autoscaler starts when the cluster has a kubeconfig.
            ...(["prod", "pools", "autoscaled", "everything"].includes(stack)
              ? ["serviceaccount", "role", "rolebinding", "deployment"].map(
                  (kind) => `${kind}-${stack}-autoscaler.yaml`,
                )
              : []),
            ...["calico", "windows-workloads"].map((set) => `clusterresourceset-${stack}-${set}.yaml`),
            // Manifests of the user's come last, because they may need Calico.
            ...(stack === "everything" ? ["once-policy", "extra-quota"] : []).flatMap((set) =>
              ["configmap", "clusterresourceset"].map((kind) => `${kind}-${stack}-${set}.yaml`),
            ),
          ],
    );
  });

  it("is valid YAML and JSON", async () => {
    for (const [path, text] of planFiles(await planOf(stack))) {
      if (path.endsWith(".json")) {
        expect(() => JSON.parse(text) as unknown).not.toThrow();
      } else if (path.endsWith(".yaml")) {
        expect(parseAllDocuments(text).flatMap((document) => document.errors)).toEqual([]);
      }
    }
  });
});

it.each(["dev", "existing", "prod"])(
  "a plan of %s names the pinned manifest by URL and sha256 instead of downloading it",
  async (stack) => {
    const calico = [...planFiles(await planOf(stack))].find(([path]) => path.includes("calico"))![1];
    expect(calico).toContain(
      "https://raw.githubusercontent.com/projectcalico/calico/v3.32.1/manifests/tigera-operator.yaml",
    );
    expect(calico).toContain("f18e073794207d372606bc3ea6f8fd73972f86d6828f4ba666dfe0d4aa8ab07f");
  },
);

const cache = process.env.CAPZ_WINDOWS_MANIFEST_CACHE;
const withCache = cache === undefined ? it.skip : it;

withCache(
  "with a cache a plan has the whole of Calico (skipped without CAPZ_WINDOWS_MANIFEST_CACHE)",
  async () => {
    const { objects } = await updateWithManifests(readExample("dev"));
    const calico = objects.workload
      .filter(({ set }) => set === "dev-calico")
      .flatMap((stream) => stream.objects);
    const kinds = calico.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "Namespace")).toHaveLength(1);
    expect(kinds.indexOf("Deployment")).toBeGreaterThan(0);
    expect(kinds.indexOf("IPAMConfig")).toBeLessThan(kinds.indexOf("Installation"));
    const operator = calico.find(({ kind }) => kind === "Deployment")!;
    // The operator uses the node's resolver, because CoreDNS cannot run before the operator has installed Calico.
    expect(operator).toMatchObject({
      spec: { template: { spec: { dnsPolicy: "Default", hostNetwork: true } } },
    });
  },
);

it("a repeated plan is the same, byte for byte", async () => {
  const hashes = (files: ReadonlyMap<string, string>) =>
    [...files].map(([path, text]) => [path, sha256(text)]);
  const second = await planFileInline(readExample("prod"), {});
  expect(hashes(planFiles(second))).toEqual(hashes(planFiles(await planOf("prod"))));
});

describe("a secret", () => {
  const project = testProject();
  afterAll(project.remove);

  const stackFile = (kubeconfig: string): string => `config:
  capz-windows:clusterName: leak
  capz-windows:kubernetesVersion: v1.35.6
  capz-windows:azure:
    subscriptionId: 11111111-2222-4333-8444-555555555555
    tenantId: 11111111-2222-4333-8444-666666666666
    location: westeurope
  capz-windows:management:
    kind: existing
    name: m
    egressCidrs: [198.51.100.4/32]
    oidcIssuerUrl: https://issuer.example/
  capz-windows:managementKubeconfig: ${kubeconfig}
  capz-windows:access:
    sshPublicKey: ${publicKey}
`;

  it("is not decrypted by a plan and reaches no file", async () => {
    project.write("Pulumi.leak.yaml", stackFile("{secure: PLANTED-CIPHERTEXT}"));
    const plan = await planFileInline(readStackFile(project.dir, "leak"));
    const texts = [
      ...planFiles(plan),
      ["diagnostics", JSON.stringify([plan.preview.diagnostics, plan.update.diagnostics])],
    ] as const;
    const leaks = texts.filter(([, text]) => /PLANTED|not decrypted by the plan/.test(text));
    expect(leaks.map(([path]) => path)).toEqual([]);
    expect(texts.some(([, text]) => text.includes("[secret]"))).toBe(true);
  });

  it("in plain text in the stack file is refused, without showing it", async () => {
    project.write("Pulumi.clear.yaml", stackFile("PLANTED-IN-CLEAR"));
    const error: unknown = await planStack({ projectDir: project.dir, stack: "clear" }).catch(
      (e: unknown) => e,
    );
    expect((error as Error).message).toBe(
      [
        "Pulumi.clear.yaml: 1 problem",
        "",
        "  capz-windows:managementKubeconfig",
        "    problem  this secret is stored in plain text; consider it compromised",
        "    allowed  a value encrypted by Pulumi (secure: ...)",
        "    write    npx pulumi config set --stack clear --secret capz-windows:managementKubeconfig < FILE",
      ].join("\n"),
    );
  });
});

describe("a plan that is written again", () => {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-render-"));
  const out = join(dir, "plan");
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const inodes = (): string[] =>
    readdirSync(out, { recursive: true, encoding: "utf8" })
      .sort()
      .map((path) => `${path} ${statSync(join(out, path)).ino}`);

  it("does not write unchanged files again", async () => {
    const paths = renderPlan(await planOf("dev"), out);
    const before = inodes();
    expect(renderPlan(await planOf("dev"), out)).toEqual(paths);
    expect(inodes()).toEqual(before);
  });

  it.each([
    [
      "a file has changed",
      (files: string[]) => {
        appendFileSync(join(out, files[0]!), "# changed\n");
      },
    ],
    [
      "a file is missing",
      (files: string[]) => {
        rmSync(join(out, files[0]!));
      },
    ],
    [
      "a file is there that it does not have",
      () => {
        writeFileSync(join(out, "management/99-old.yaml"), "old");
      },
    ],
    [
      "a folder is there that it does not have",
      () => {
        mkdirSync(join(out, "nodes/old-pool"));
      },
    ],
  ])("writes them where %s", async (_what, change) => {
    const plan = await planOf("dev");
    const files = planFiles(plan);
    change([...files.keys()]);
    renderPlan(plan, out);
    expect(filesIn(out)).toEqual(new Map([...files].map(([path, text]) => [normalize(path), text])));
    expect(existsSync(join(out, "nodes/old-pool"))).toBe(false);
  });
});
