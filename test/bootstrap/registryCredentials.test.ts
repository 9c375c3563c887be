import { spawnSync } from "node:child_process";
import { parse } from "yaml";
import { loginServers } from "capz-windows-platform/azure/containerRegistries";
import { registryCredentials } from "../../bootstrap/registryCredentials";

const id =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/r/providers/Microsoft.ContainerRegistry/registries/MyCompany";

/** Whether the host of an image matches an entry, like in kubelet: part by part, with a glob in each (KEP-2133). */
function matches(entry: string, host: string): boolean {
  const [parts, hostParts] = [entry.split("."), host.split(".")];
  const glob = (part: string) => new RegExp(`^${part.replaceAll("*", "[^.]*")}$`);
  return (
    parts.length === hostParts.length && parts.every((part, index) => glob(part).test(hostParts[index] ?? ""))
  );
}

describe("credentials of registries", () => {
  it.each([
    ["mycompany.azurecr.io", true],
    ["mycompany-a1b2c3.azurecr.io", true],
    ["mycompany.westeurope.geo.azurecr.io", true],
    ["other.azurecr.io", false],
    ["mycompany2.azurecr.io", false],
    ["mycompany.azurecr.io.example.com", false],
  ])("are sent to %s: %s", (host, expected) => {
    expect(loginServers(id).some((entry) => matches(entry, host))).toBe(expected);
  });

  it.each([
    ["linux", "/var/lib/kubelet/credential-provider", "/etc/kubernetes/azure.json"],
    ["windows", "C:/var/lib/kubelet/credential-provider", "c:/k/azure.json"],
  ] as const)("on %s come from the program of the image and from azure.json", (os, binDir, azureJson) => {
    const { files, kubeletExtraArgs } = registryCredentials(os, loginServers(id));
    expect(Object.fromEntries(kubeletExtraArgs.map(({ name, value }) => [name, value]))).toEqual({
      "image-credential-provider-bin-dir": binDir,
      "image-credential-provider-config": files[0]?.path,
    });
    expect(parse(files[0]?.content ?? "")).toEqual({
      apiVersion: "kubelet.config.k8s.io/v1",
      kind: "CredentialProviderConfig",
      providers: [
        {
          name: "acr-credential-provider",
          apiVersion: "credentialprovider.kubelet.k8s.io/v1",
          matchImages: loginServers(id),
          defaultCacheDuration: "10m",
          args: [azureJson],
        },
      ],
    });
  });

  it("add nothing to a node without registries", () => {
    expect(registryCredentials("windows")).toEqual({
      files: [],
      kubeletExtraArgs: [],
      preKubeadmCommands: [],
    });
  });

  it("copy their program to a data disk that is mounted over kubelet's directory", () => {
    const disk = (mountPath: string) => [{ name: "data", mountPath }];
    const commands = (mountPath: string) =>
      registryCredentials("linux", loginServers(id), disk(mountPath)).preKubeadmCommands;
    expect(commands("/data")).toEqual([]);
    const [command = ""] = commands("/var/lib/kubelet");
    expect(spawnSync("sh", ["-n", "-c", command]).status).toBe(0);
    expect(command).toContain(
      "cp -a /run/below/var/lib/kubelet/credential-provider /var/lib/kubelet/ && umount /run/below",
    );
  });
});
