import { parseAllDocuments } from "yaml";
import { gmsaResources } from "../../addons/gmsa";
import { sha256 } from "../../addons/pinnedManifest";
import type { KubernetesObject } from "capz-types";
import { gmsaCrdManifest } from "../../addons/gmsa";
import { cachedFile } from "../addons/fixtures";
import { Rigs } from "../life/support/rig";
import { namespace } from "./applier";
import { ApiServer, noControllers } from "./client";

/** The add-on gMSA on an API server: its published CRD, and which pods cannot be created while its webhook is down. */
const rig = process.env.CAPZ_WINDOWS_RIG;
const version = "v0.13.0";
const crd = cachedFile(`windows-gmsa-${version}/gmsa-crd.yml`, "the CRD of gMSA before an API server");

if (rig === undefined || rig === "" || crd === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_RIG names no rig, or CAPZ_WINDOWS_MANIFEST_CACHE has no CRD of gMSA", () =>
    undefined);
} else {
  const rigs = new Rigs({ rig, controllers: "" });
  let server: ApiServer;

  const refusal = async (object: KubernetesObject, dryRun = true) => {
    const { status, body } = await server.apply(object, { dryRun });
    return status >= 300 ? (body.message ?? String(status)) : undefined;
  };
  const pod = (more: object, container: object = {}): KubernetesObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "apps" },
    spec: {
      os: { name: "windows" },
      containers: [{ name: "c", image: "r.example/app:1", ...container }],
      ...more,
    },
  });
  const windowsOptions = (options: object) => ({ securityContext: { windowsOptions: options } });

  beforeAll(async () => {
    server = new ApiServer(await rigs.start("gmsa", noControllers));
    const stream = gmsaResources({
      version,
      crdManifest: crd,
      replicas: 2,
      workers: 0,
      randomHostnames: false,
    });
    const delivered = parseAllDocuments(stream).map((document) => document.toJS() as KubernetesObject);
    const made = [
      namespace("apps"),
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "apps" } },
      ...delivered,
    ];
    const refused = [];
    for (const object of made) {
      refused.push(await refusal(object, false));
    }
    expect(refused.filter(Boolean)).toEqual([]);
    // A webhook takes effect only a moment after its configuration is written.
    for (
      const end = Date.now() + 30_000;
      (await refusal(pod(windowsOptions({ gmsaCredentialSpecName: "x" })))) === undefined;
    ) {
      expect(Date.now()).toBeLessThan(end);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });

  afterAll(async () => {
    server.close();
    await rigs.stopAll();
  });

  it("has the CRD that is pinned", () => {
    expect(sha256(crd)).toBe(gmsaCrdManifest(version).sha256);
    expect(Buffer.byteLength(crd)).toBe(gmsaCrdManifest(version).bytes);
  });

  it("accepts a credential spec", async () => {
    const spec = {
      apiVersion: "windows.k8s.io/v1",
      kind: "GMSACredentialSpec",
      metadata: { name: "web-gmsa" },
      credspec: {
        CmsPlugins: ["ActiveDirectory"],
        ActiveDirectoryConfig: {
          GroupManagedServiceAccounts: [{ Name: "web", Scope: "corp.example" }],
          HostAccountConfig: { PortableCcgVersion: "1", PluginGUID: "{x}", PluginInput: "y" },
        },
      },
    };
    expect(await refusal(spec as unknown as KubernetesObject)).toBeUndefined();
  });

  const waiting = /failed calling webhook "admission-webhook\.windows-gmsa\.sigs\.k8s\.io"/;

  it.each([
    ["by its name", pod(windowsOptions({ gmsaCredentialSpecName: "web-gmsa" }))],
    ["by its contents", pod(windowsOptions({ gmsaCredentialSpec: "{}" }))],
    ["of a container", pod({}, windowsOptions({ gmsaCredentialSpecName: "web-gmsa" }))],
    ["of a container, by its contents", pod({}, windowsOptions({ gmsaCredentialSpec: "{}" }))],
  ])("no pod with a gMSA is made while the webhook is down: %s", async (_how, object) => {
    expect(await refusal(object)).toMatch(waiting);
  });

  it.each([
    ["nothing about Windows", pod({ os: undefined })],
    ["a user", pod(windowsOptions({ runAsUserName: "ContainerUser" }))],
    ["a user of a container", pod({}, windowsOptions({ runAsUserName: "ContainerUser" }))],
    ["a security context without Windows", pod({ securityContext: {} }, { securityContext: {} })],
  ])("every other pod is made all the same: one with %s", async (_what, object) => {
    expect(await refusal(object)).toBeUndefined();
  });
}
