import type { IncomingMessage, ServerResponse } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../commands/images/cli";
import { compareVersions } from "../../commands/images/newer";
import { LoginError } from "../../commands/azure/credential";
import { said } from "capz-windows-test-kit/said";
import { projectDir } from "../support/stacks";
import { HttpStandIn } from "capz-windows-test-kit/standIn";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";

const stack = `# my stack
config:
  capz-windows:clusterName: shop
  capz-windows:kubernetesVersion: v1.35.6 # with care
  capz-windows:azure:
    subscriptionId: 11111111-2222-4333-8444-555555555555
    tenantId: 11111111-2222-4333-8444-666666666666
    location: westeurope
  capz-windows:access:
    sshPublicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV me
  capz-windows:linuxPools:
    linux1: {}
  capz-windows:windowsPools:
    win1: {}
    own:
      image:
        computeGallery: # our own
          gallery: windows
          name: capi-windows-2022-containerd
          version: 20348.5139.1
          subscriptionId: 11111111-2222-4333-8444-555555555555
          resourceGroup: images
`;

/** The versions in Azure, by the end of the path of the request. */
let versions: Readonly<Record<string, readonly string[]>>;

class Azure extends HttpStandIn {
  protected respond(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? "", "http://arm").pathname;
    const found = Object.entries(versions).find(([end]) => path.endsWith(`${end}/versions`))?.[1];
    const body =
      path === subscription ? { subscriptionId: "x" } : found && { value: found.map((name) => ({ name })) };
    response
      .writeHead(body ? 200 : 404, { "content-type": "application/json" })
      .end(JSON.stringify(body ?? { error: { code: "NotFound", message: "There is no such gallery." } }));
  }
}

describe("npm run images", () => {
  const server = new Azure();
  const dir = temporaryFolder();
  let endpoint: string;

  beforeAll(async () => {
    endpoint = await server.listen();
  });
  afterAll(() => {
    server.close();
  });
  beforeEach(() => {
    writeFileSync(join(dir, "Pulumi.shop.yaml"), stack);
    versions = {
      "/images/capi-ubun2-2404": [
        "1.35.10",
        "1.35.9",
        "1.35.6",
        "1.36.1",
        "1.34.9",
        `1.35.${"9".repeat(21)}`,
        "1.35.011",
      ],
      "/images/capi-win-2022-containerd": ["1.35.9", "1.35.6", "1.35.99-x"],
      "/galleries/windows/images/capi-windows-2022-containerd": [
        "20348.5139.1",
        "20348.5386.1",
        "20348.4893.9",
      ],
    };
  });

  const images = (args: readonly string[], token = () => Promise.resolve("token")) =>
    said(() =>
      run(["--config-file", join(dir, "Pulumi.shop.yaml"), ...args], {
        ...{ projectDir, today: "2026-12-01", arm: { endpoint, token, sleep: () => Promise.resolve() } },
      }),
    );
  const written = (): string => readFileSync(join(dir, "Pulumi.shop.yaml"), "utf8");

  test("says how old each image is, which newer versions there are, and the command that lists them", async () => {
    const { code, out } = await images([]);
    expect(code).toBe(2);
    expect(out)
      .toContain(`windowsPools.win1: ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/capi-win-2022-containerd/1.35.6
  Windows patches of about June 2026 (when its Kubernetes was released), 5 months behind November 2026
  newer: 1.35.9
  az sig image-version list-community --public-gallery-name ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019 --gallery-image-definition capi-win-2022-containerd --location westeurope -o table
`);
    expect(out).toContain(`windowsPools.own: windows/capi-windows-2022-containerd/20348.5139.1
  Windows patches of May 2026 (20348.5139), 6 months behind November 2026
  newer: 20348.5386.1
`);
    expect(out)
      .toContain(`linuxPools.linux1: ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/capi-ubun2-2404/1.35.6
  newer: 1.35.10, 1.35.9
`);
    // Not 1.35.10, which has no Windows image.
    expect(out).toContain(`write these lines, or run it with --write:
  kubernetesVersion: v1.35.9
  windowsPools.own.image.computeGallery.version: 20348.5386.1
`);
    expect(out).toContain(`
ends:
  kubernetesVersion: Kubernetes 1.35 ends in 89 days, on 2027-02-28: after that it gets no more security fixes; write kubernetesVersion: a release of 1.36 (https://kubernetes.io/releases/1.35/)
  controlPlane.image: the community gallery may remove ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/capi-ubun2-2404/1.35.6: its life of 6 months ends in 11 days, on 2026-12-12; write a newer kubernetesVersion, or copy the image into a gallery of your own (docs/images.md)
`);
    expect(written()).toBe(stack);
  });

  test("says nothing of ends that are far away", async () => {
    const text = stack.replace("v1.35.6", "v1.36.6").replace("20348.5139.1", "20348.5386.1");
    writeFileSync(join(dir, "Pulumi.shop.yaml"), text);
    const { out } = await images(["--offline"]);
    expect(out).toContain("1.36.6");
    expect(out).not.toContain("ends:");
  });

  test("--write changes these values and nothing else in the file", async () => {
    await images(["--write"]);
    expect(written()).toBe(
      stack.replace("v1.35.6 #", "v1.35.9 #").replace("version: 20348.5139.1", "version: 20348.5386.1"),
    );
  });

  test("--write changes them also in a file with aliases", async () => {
    const text = `${stack}  capz-windows:tags: { team: &team web, owner: *team }\n`;
    writeFileSync(join(dir, "Pulumi.shop.yaml"), text);
    await images(["--write"]);
    expect(written()).toBe(
      text.replace("v1.35.6 #", "v1.35.9 #").replace("version: 20348.5139.1", "version: 20348.5386.1"),
    );
  });

  const left = "not written, because of an alias or a key that the file does not have, so write:";
  const version = "  kubernetesVersion: v1.35.9\n";

  test("--write changes a text of several lines as a whole", async () => {
    const text = stack.replace(/kubernetesVersion: v1.35.6.*\n/, "kubernetesVersion: >-\n    v1.35.6\n");
    writeFileSync(join(dir, "Pulumi.shop.yaml"), text);
    const { out } = await images(["--write"]);
    expect(out).not.toContain(left);
    expect(written()).toBe(
      text.replace(">-\n    v1.35.6", "v1.35.9").replace("version: 20348.5139.1", "version: 20348.5386.1"),
    );
  });

  test("--write says what it has not written", async () => {
    const text = stack
      .replace("config:\n", "config:\n  capz-windows:tags: { a: &v v1.35.6 }\n")
      .replace(/kubernetesVersion: v1.35.6.*/, "kubernetesVersion: *v");
    writeFileSync(join(dir, "Pulumi.shop.yaml"), text);
    const { out } = await images(["--write"]);
    expect(out).toContain(`${left}\n${version}`);
    expect(written()).toBe(text.replace("version: 20348.5139.1", "version: 20348.5386.1"));
  });

  test("--write writes nothing that would change another value", async () => {
    const text = `${stack.replace("kubernetesVersion: v1.35.6", "kubernetesVersion: &v v1.35.6")}  capz-windows:tags: { a: *v }\n`;
    writeFileSync(join(dir, "Pulumi.shop.yaml"), text);
    const { out } = await images(["--write"]);
    expect(out).toContain(`${left}\n${version}`);
    expect(out).not.toContain("\nwritten:");
    expect(written()).toBe(text);
  });

  test("a stack that makes only a management cluster has none, and is not asked about", async () => {
    writeFileSync(
      join(dir, "Pulumi.shop.yaml"),
      readFileSync(join(projectDir, "examples/Pulumi.management.yaml"), "utf8"),
    );
    const offline = await images(["--write"], () => Promise.reject(new LoginError("no login")));
    expect(offline).toMatchObject({ code: 0, out: "no machines but those of the management cluster\n" });
    expect(JSON.parse((await images(["--json"])).out)).toMatchObject({ images: [], bumps: [] });
  });

  test("proposes nothing if all images are the newest", async () => {
    versions = Object.fromEntries(Object.keys(versions).map((key) => [key, ["1.35.6", "20348.5139.1"]]));
    const { code, out } = await images(["--write"]);
    expect(code).toBe(0);
    expect(out.match(/nothing newer/g)).toHaveLength(4);
    expect(written()).toBe(stack);
  });

  test.each([
    ["--offline", () => Promise.resolve("token")],
    ["--json", () => Promise.reject(new LoginError("There is no login to Azure: no az"))],
  ])("without Azure says what is known (%s)", async (arg, token) => {
    const { code, out, err } = await images([arg], token);
    expect(code).toBe(2);
    expect(out).toContain(
      "Kubernetes v1.35.10 is released; the command shows whether the gallery has an image of it",
    );
    expect(out).not.toContain("--write");
    expect(err).toBe(arg === "--json" ? "There is no login to Azure: no az\n" : "");
  });

  test("reports the reason if Azure does not answer about an image", async () => {
    versions = {};
    const { out } = await images([]);
    expect(out).toContain("  Azure does not answer: There is no such gallery.\n");
  });

  test("versions are compared by their numbers", () => {
    expect(["1.35.9", "1.35.10", "1.35", "2026.7.1", "1.36.0"].sort(compareVersions)).toEqual([
      "1.35",
      "1.35.9",
      "1.35.10",
      "1.36.0",
      "2026.7.1",
    ]);
  });
});
