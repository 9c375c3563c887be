import { sha256 } from "../../addons/pinnedManifest";
import { Arm } from "../../commands/azure/arm";
import { needsOf } from "../../commands/preflight/needs";
import { exitCode, preflight } from "../../commands/preflight/preflight";
import { factsWith } from "../support/stacks";
import { endpoint, planOf, stack, withAzure } from "./support";

withAzure();

describe("charts and manifests of providers with digests", () => {
  const index = `entries:
  cert-manager:
    - { version: v1.20.0, urls: [charts/old.tgz] }
    - { version: v1.21.2, urls: [charts/cert-manager-v1.21.2.tgz] }
  cluster-api-operator:
    - { version: 0.29.0, urls: ["https://files.example/operator.tgz"] }
`;
  const download = "https://github.com/kubernetes-sigs";
  const published: Record<string, string> = {
    "https://charts.jetstack.io/index.yaml": index,
    "https://charts.jetstack.io/charts/cert-manager-v1.21.2.tgz": "archive 1",
    "https://kubernetes-sigs.github.io/cluster-api-operator/index.yaml": index,
    "https://files.example/operator.tgz": "archive 2",
    [`${download}/cluster-api/releases/download/v1.14.2/core-components.yaml`]: "core",
    [`${download}/cluster-api/releases/download/v1.14.2/bootstrap-components.yaml`]: "bootstrap",
    [`${download}/cluster-api/releases/download/v1.14.2/control-plane-components.yaml`]: "control plane",
    [`${download}/cluster-api-provider-azure/releases/download/v1.27.0/infrastructure-components.yaml`]:
      "azure",
  };
  const right = {
    ...{ certManager: "archive 1", operator: "archive 2", core: "core", bootstrap: "bootstrap" },
    ...{ controlPlane: "control plane", azure: "azure" },
  };
  const rowsOfDigests = async (
    digests: object,
    change: Readonly<Record<string, string | undefined>> = {},
  ) => {
    const get: typeof fetch = (address) => {
      const url = address instanceof Request ? address.url : address.toString();
      if (url in change && change[url] === undefined) {
        return Promise.reject(Object.assign(new Error("x"), { cause: { code: "ENOTFOUND" } }));
      }
      const body = change[url] ?? published[url];
      return Promise.resolve(
        url.includes("checkip")
          ? new Response("203.0.113.7\n")
          : new Response(body ?? "", { status: body === undefined ? 404 : 200 }),
      );
    };
    const needs = {
      ...needsOf(factsWith({ ...stack, clusterApi: { digests } })),
      manifests: [],
      charts: [],
    };
    const arm = new Arm({ endpoint: endpoint(), token: () => Promise.resolve("simulated") });
    const rows = await preflight(arm, needs, planOf, get);
    return rows.filter(({ check }) => check === "charts and providers");
  };
  const digests = Object.fromEntries(
    Object.entries(right).map(([part, body]) => [part, `sha256:${sha256(body)}`]),
  );

  it("are what is published, a row each", async () => {
    expect((await rowsOfDigests(digests)).map(({ state, found }) => `${state} ${found}`)).toEqual([
      "ok cert-manager v1.21.2 has the sha256 of clusterApi.digests.certManager",
      "ok cluster-api-operator 0.29.0 has the sha256 of clusterApi.digests.operator",
      "ok cluster-api-core-components v1.14.2 has the sha256 of clusterApi.digests.core",
      "ok cluster-api-bootstrap-components v1.14.2 has the sha256 of clusterApi.digests.bootstrap",
      "ok cluster-api-control-plane-components v1.14.2 has the sha256 of clusterApi.digests.controlPlane",
      "ok cluster-api-provider-azure-infrastructure-components v1.27.0 has the sha256 of clusterApi.digests.azure",
    ]);
    expect(await rowsOfDigests({})).toEqual([]);
  });

  it("differ, with both hashes, which stands in the way", async () => {
    const archive = "https://charts.jetstack.io/charts/cert-manager-v1.21.2.tgz";
    const rows = await rowsOfDigests({ certManager: digests.certManager }, { [archive]: "another" });
    expect(rows).toEqual([
      {
        ...{ state: "error", check: "charts and providers" },
        found: `cert-manager v1.21.2 is not what clusterApi.digests.certManager says: ${archive} has sha256 ${sha256("another")}, not ${sha256("archive 1")}`,
        remedy: [
          "npm run images -- NAME --digests   # if clusterApi.digests.certManager is that of another version",
          "Otherwise find out why the file has changed before you trust it; a proxy may have changed it.",
        ],
      },
    ]);
    expect(exitCode(rows)).toBe(3);
  });

  it.each([
    ["ENOTFOUND", undefined, "https://charts.jetstack.io/index.yaml cannot be reached: ENOTFOUND"],
    [
      "another version",
      "entries: {}",
      "https://charts.jetstack.io/index.yaml does not list cert-manager v1.21.2",
    ],
    ["a page", "<p>: [", "https://charts.jetstack.io/index.yaml does not list cert-manager v1.21.2"],
    [
      "no archive",
      index.replace("charts/cert-manager-v1.21.2.tgz", "charts/none.tgz"),
      "https://charts.jetstack.io/charts/none.tgz answers 404",
    ],
  ])("are not compared: %s", async (_, body, reason) => {
    const rows = await rowsOfDigests(
      { certManager: digests.certManager },
      { "https://charts.jetstack.io/index.yaml": body },
    );
    expect(rows).toEqual([
      {
        ...{ state: "unknown", check: "charts and providers" },
        found: `cert-manager v1.21.2 is not compared with clusterApi.digests.certManager: ${reason}`,
        remedy: ["curl -I https://charts.jetstack.io/index.yaml"],
      },
    ]);
    expect(exitCode(rows)).toBe(2);
  });
});
