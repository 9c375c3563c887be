import { publicKey, minimal, reportOf, reportWith, settingsWith } from "../support/stacks";

const block = (...lines: string[]): string => lines.join("\n");

describe("an invalid config", () => {
  it("lists every required key if the config is empty", () => {
    expect(reportOf({})).toBe(
      block(
        "Pulumi.test.yaml: 4 problems",
        "",
        "  access",
        "    problem  this key is required",
        "    allowed  a mapping with the keys sshPublicKey, additionalSshPublicKeys, allowedCidrs",
        "    write    capz-windows:access: {sshPublicKey: <contents of your .pub file>}",
        "",
        "  azure",
        "    problem  this key is required",
        "    allowed  a mapping with the keys subscriptionId, tenantId, location, resourceGroup, roles",
        "    write    capz-windows:azure: {subscriptionId: <GUID of your subscription>, tenantId: <GUID of your tenant>, location: <an allowed value>}",
        "",
        "  clusterName",
        "    problem  this key is required",
        "    allowed  2–44 characters: a–z, 0–9 and -, starting with a letter, ending with a letter or digit",
        "    write    capz-windows:clusterName: <an allowed value>",
        "",
        "  kubernetesVersion",
        "    problem  this key is required",
        "    allowed  v1.MINOR.PATCH",
        "    write    capz-windows:kubernetesVersion: <an allowed value>",
      ),
    );
  });

  it.each(["Prod", "a".repeat(45), "a", "1a", "-ab", "ab-", "a.b", "ä"])(
    "rejects the cluster name %s",
    (clusterName) => {
      expect(reportWith({ clusterName })).toBe(
        block(
          "Pulumi.test.yaml: 1 problem",
          "",
          "  clusterName",
          `    value    ${clusterName}`,
          "    problem  invalid format",
          "    allowed  2–44 characters: a–z, 0–9 and -, starting with a letter, ending with a letter or digit",
          "    write    capz-windows:clusterName: <an allowed value>",
        ),
      );
    },
  );

  it("accepts the longest cluster name", () => {
    expect(settingsWith({ clusterName: "a".repeat(44) }).clusterName).toHaveLength(44);
  });

  it("suggests a similar key for an unknown one", () => {
    expect(reportWith({ windowsPools: { win1: { replica: 3 } } })).toBe(
      block(
        "Pulumi.test.yaml: 1 problem",
        "",
        "  windowsPools.win1.replica",
        "    problem  unknown key",
        "    allowed  windowsPools.win1.replicas",
        "    write    rename replica to replicas",
      ),
    );
  });

  it("suggests nothing for a key that resembles none", () => {
    expect(reportWith({ network: { color: "red" } })).toContain(
      block("    problem  unknown key", "    allowed  "),
    );
  });

  it("names the expected and the found type", () => {
    const report = reportWith({
      controlPlane: { replicas: "three" },
      windowsPools: "win1",
      protect: "maybe",
    });
    expect(report).toContain("expected a whole number, found text");
    expect(report).toContain("expected a mapping, found text");
    expect(report).toContain("expected true or false, found text");
  });

  it("reports problems of single keys and across keys together, and each invalid key once", () => {
    const report = reportWith({
      clusterName: "Wrong",
      controlPlane: { replicas: 4 },
      network: { mtu: 9001, podCidr: "10.10.0.0/17", serviceCidr: "10.96.0.0/12" },
      windowsPools: { "first-pool-win": {}, "second-pool-win": { kubernetesVersion: "v1.36.0" } },
    });
    expect(report.split("\n")[0]).toBe("Pulumi.test.yaml: 6 problems");
    for (const path of [
      "clusterName",
      "controlPlane.replicas",
      "network.mtu",
      "network.podCidr",
      "windowsPools.second-pool-win",
      "windowsPools.second-pool-win.kubernetesVersion",
    ]) {
      expect(report).toContain(`\n  ${path}\n`);
    }
  });

  it("accepts structured values as JSON text too, as Pulumi passes them", () => {
    const structured = Object.fromEntries(
      Object.entries(minimal()).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    );
    expect(() => reportOf(structured)).toThrow("this config is right");
    expect(reportOf({ ...structured, network: '{"mtu":"1400"}' })).toContain(
      "expected a whole number, found text",
    );
    expect(reportOf({ ...structured, network: "not json" })).toContain("expected a mapping, found text");
  });
});

describe("secrets in an invalid config", () => {
  const privateKey =
    "-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0LXNlY3JldA==\n-----END OPENSSH PRIVATE KEY-----";

  it("rejects a private SSH key without showing any of it", () => {
    const report = reportWith({ access: { sshPublicKey: privateKey } });
    expect(report).toBe(
      block(
        "Pulumi.test.yaml: 1 problem",
        "",
        "  access.sshPublicKey",
        "    problem  this is a PRIVATE key, which is not shown here; create a new key pair if it was ever committed",
        "    allowed  one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256/384/521, then the key in base64 (ssh-keygen -t ed25519 creates one)",
      ),
    );
  });

  it("does not show a private key at an unknown or mistyped key either", () => {
    for (const change of [
      { access: { sshPublicKey: publicKey, sshPrivateKey: privateKey } },
      { access: privateKey },
      { sshKey: privateKey },
      { tags: privateKey },
      { windowsPools: { win1: { vmSize: privateKey } } },
      { adminPassword: "c2VjcmV0" },
      { windowsPools: { win1: { postKubeadmCommands: ["net user capi c2VjcmV0"] } } },
    ]) {
      expect(reportWith(change)).not.toContain("c2VjcmV0");
    }
  });

  it("rejects an invalid kubeconfig without showing it", () => {
    const existing = {
      management: {
        kind: "existing",
        name: "m",
        egressCidrs: ["198.51.100.4/32"],
        oidcIssuerUrl: "https://issuer.example/",
      },
    };
    const report = reportWith({ ...existing, managementKubeconfig: "token: hunter2" });
    expect(report).toBe(
      block(
        "Pulumi.test.yaml: 1 problem",
        "",
        "  managementKubeconfig",
        "    problem  not a kubeconfig: kind is not Config (the value is a secret and is not shown)",
        "    allowed  a kubeconfig with kind Config, clusters, users, contexts and a current-context",
        "    write    npx pulumi config set --secret capz-windows:managementKubeconfig < FILE",
      ),
    );
    expect(reportWith(existing)).toContain("this key is required with management.kind existing");
  });
});
