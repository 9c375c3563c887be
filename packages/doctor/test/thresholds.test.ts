import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutSecrets } from "capz-windows-doctor/cluster/saved";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";

/** What is kept of objects that were read. */

it("arguments of containers, which may have passwords, are not read", () => {
  const pod = {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "web" } },
    spec: { containers: [{ name: "web", image: "web", args: ["--password=hunter2"], command: ["hunter2"] }] },
  };
  expect(JSON.stringify(withoutSecrets(pod))).not.toContain("hunter2");
});

it("of the arguments of a Deployment, the life of bootstrap tokens is read, and nothing that only begins like it", () => {
  const args = ["--bootstrap-token-ttl=15m", "--bootstrap-token-ttl=hunter2", "--password=hunter2"];
  const deployment = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "manager" } },
    spec: { template: { spec: { containers: [{ name: "manager", args }] } } },
  };
  expect(JSON.stringify(withoutSecrets(deployment))).toContain('"args":["--bootstrap-token-ttl=15m"]');
  expect(JSON.stringify(withoutSecrets(deployment))).not.toContain("hunter2");
});

it("recorded objects were read at their newest time, not when a certificate ends", () => {
  const folder = mkdtempSync(join(tmpdir(), "doctor-"));
  try {
    const file = join(folder, "objects.json");
    const status = {
      conditions: [{ lastTransitionTime: "2026-01-02T03:04:05Z" }],
      certificatesExpiryDate: "2099-01-01T00:00:00Z",
    };
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Cluster",
        metadata: { name: "a" },
        status,
      }),
    );
    expect(readRecorded(file).takenAt).toBe("2026-01-02T03:04:05Z");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
