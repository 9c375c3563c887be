import { readArguments } from "capz-windows-doctor/cli/arguments";
import { explained, nearestIds } from "capz-windows-doctor/report/explain";
import { allRules } from "capz-windows-doctor/rules/allRules";

it("an ID of a report gives all that the doctor knows of it", () => {
  expect(explained("kubeconfig-not-asked", 100)).toBe(`kubeconfig-not-asked (access)
  you see  pulumi and az cannot say whether there is a kubeconfig of the management cluster
  message  pulumi stack output kubeconfig: no program answered
  cause    The kubeconfig of the management cluster could not be read: neither the Pulumi CLI nor
           the Azure CLI answered. Whether the cluster exists is not known.
  do       pulumi login && pulumi stack select STACK
           az login
           npm run doctor -- STACK --kubeconfig FILE   # with a kubeconfig of your own
  source   https://www.pulumi.com/docs/iac/cli/commands/pulumi_login/
`);
});

it("each ID has an answer, without braces that no one can fill in", () => {
  for (const { id, cause } of allRules) {
    const text = explained(id, 100) ?? "";
    expect(text.startsWith(`${id} (`)).toBe(true);
    expect(text.replace(/\s+/g, " ")).toContain(cause.split("{")[0]?.trim().slice(0, 40) ?? "");
    expect(text).not.toMatch(/(?<!\{)\{[a-z][A-Za-z]*\}(?!\})/);
  }
});

it("a part of an error message gives the entries that have it, in any case", () => {
  expect(explained("operation for ATTACH namespace", 100)).toBe(
    explained("container-network-namespace", 100),
  );
  expect(explained("0XC0370101", 100)).toBe(explained("os-mismatch", 100));
});

it.each([
  [
    "failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The container operating system does not match the host operating system.: unknown",
    ["os-mismatch"],
  ],
  [
    'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1": HNS failed with error : The parameter is incorrect.',
    ["hns"],
  ],
  ["failed to create containerd task", ["hcs-access", "container-network-namespace"]],
  ["hcsshim::CreateComputeSystem", ["hcs-service", "hcs-access", "container-network-namespace"]],
])("a pasted message gives the entries whose text is in it: %s", (pasted, ids) => {
  const found = idsOf(pasted);
  expect(found).toEqual(expect.arrayContaining(ids));
  expect(found.length).toBeLessThan(7);
});

/** The first word of each entry, which is whole where it is the only one: then its lines are indented. */
const idsOf = (pasted: string): string[] =>
  (explained(pasted, 100) ?? "")
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith(" "))
    .flatMap((line) => line.split(/:| \(/)[0] ?? []);

// Public bug reports: kubernetes #139519, #100962, #94213, #85142, #75180, csi-driver-smb #453, azurefile-csi-driver #1610, community #8883, hcsshim #1043, #1386, CAPZ #3107, AKS #1188, #3117,
// secrets-store-csi-driver-provider-azure #250, azure-workload-identity #1016.
it.each<[pasted: string, ids: readonly string[]]>([
  ["hcnCreateLoadBalancer failed in Win32: Cannot create a file when that file already exists. (0xb7)", [""]],
  [
    'Healthcheck loadbalancer policy creation failed" err="hcnCreateLoadBalancer failed in Win32: The specified port already exists. (0x803b0013)',
    [""],
  ],
  ["hcnCreateLoadBalancer failed in Win32: The switch-port was not found. (0x803b0007)", [""]],
  ["hcnDeleteNamespace failed in Win32: The specified request is unsupported. (0x803b0015)", ["hns-removal"]],
  ["hcnDeleteEndpoint failed in Win32: The network was not found. (0x803b0001)", ["hns-removal"]],
  ["hcnCreateEndpoint failed in Win32: (0x803b000d)", ["hns"]],
  ["hcnCreateNetwork failed in Win32: The parameter is incorrect. (0x57)", ["hns"]],
  ["hcnCreateEndpoint failed in Win32: The RPC server is unavailable. (0x6ba)", ["hns-stopped", "hns"]],
  ["hcs::System::Start web: The RPC server is unavailable. (0x6ba)", ["hcs-service"]],
  [
    "Source Vip endpoint creation failed: hcnCreateEndpoint failed in Win32: An address provided is invalid or reserved. (0x803b002f)",
    ["hns"],
  ],
  [
    'Error: failed to generate container "44be" spec: failed to generate spec: failed to resolve symlink "": The system cannot find the file specified.',
    [""],
  ],
  ["New-SmbGlobalMapping : The parameter is incorrect", [""]],
  ["Remove-SmbGlobalMapping failed: No MSFT_SmbGlobalMapping objects found with property 'RemotePath'", [""]],
  [
    'failed with NewSmbGlobalMapping failed. output: "New-SmbGlobalMapping : The user name or password is incorrect. Windows System Error 1326"',
    ["share-denied"],
  ],
  [
    "Failed: Error: failed to create containerd task: hcsshim::CreateComputeSystem c: The parameter is incorrect.",
    ["hcs-document"],
  ],
  [
    "failed to create shim task: hcs::CreateComputeSystem test-container-2: The filename, directory name, or volume label syntax is incorrect.: unknown",
    [""],
  ],
  [
    'AzureMachinePoolMachine.infrastructure.cluster.x-k8s.io "x" is invalid: status.latestModelApplied: Required value',
    [""],
  ],
  [
    "container 70b2 encountered an error during CreateProcess: failure in a Windows system call: The requested virtual machine or container operation is not valid in the current state. (0xc0370105)",
    ["host-compute"],
  ],
  [
    "failed to create containerd container: rootpath on mountPath C:\\Windows\\TEMP\\ctd-volume1, volume C:\\app\\config: The system cannot find the path specified.",
    ["image-volume"],
  ],
  [
    'failed to get key vault token: Get "http://localhost:2579/host/token/": dial tcp [::1]:2579: connectex: No connection could be made because the target machine actively refused it.',
    [""],
  ],
  [
    'failed to resolve reference "docker.io/contoso/web:1": docker.io/contoso/web:1: not found',
    ["image-pull"],
  ],
  [
    "failed to authorize: failed to fetch oauth token: unexpected status from POST request to https://ghcr.io/token: 403 Forbidden",
    ["image-pull"],
  ],
  [
    'Failed to pull image "proxy-init:v1.0.0": failed to pull and unpack image: no match for platform in manifest: not found',
    ["linux-image", "windows-image", "os-mismatch", "image-pull"],
  ],
  [
    "failed to create shim task: hcs::System::CreateProcess web: The system cannot find the file specified.: unknown",
    ["program-missing"],
  ],
  [
    'Error: container\'s runAsUserName (ContainerAdministrator) which will be regarded as root identity and will break non-root policy (pod: "p", container: c)',
    ["runs-as-administrator"],
  ],
])("a pasted message gives no entry that only has words of any fault: %s", (pasted, ids) => {
  expect(idsOf(pasted)).toEqual(ids);
});

it.each([
  'secret "mssql" not found',
  'Error: secret "pull-secret" not found',
  'MountVolume.SetUp failed for volume "c" : configmap "web" not found',
  "couldn't find key APP_MODE in Secret default/mssql",
  "CreateContainerConfigError: couldn't find key APP_MODE in ConfigMap default/web",
  "Error: container has runAsNonRoot and image will run as root",
])("what a Pod names and is not there is not judged here: %s", (pasted) => {
  expect(idsOf(pasted)).toEqual(["not judged here"]);
  expect(JSON.parse(explained(pasted, 100, true) ?? "")).toMatchObject({
    entries: [],
    notJudged: expect.stringContaining("kubectl describe pod") as string,
  });
});

it("CreateContainerConfigError alone may be either", () => {
  expect(idsOf("CreateContainerConfigError")).toEqual(["runs-as-administrator", "not judged here"]);
});

it("a message that nothing knows gives nothing, not what fits every text", () => {
  expect(explained("something else entirely broke here", 100)).toBeUndefined();
});

it("what nothing has gets the IDs that are most like it", () => {
  expect(explained("kubeconfig-not-aksed", 100)).toBeUndefined();
  expect(nearestIds("kubeconfig-not-aksed")[0]).toBe("kubeconfig-not-asked");
});

it("needs no cluster", () => {
  expect(readArguments(["--explain", "gmsa"])).toMatchObject({ explain: "gmsa", stack: undefined });
});

it("as JSON, each entry is whole", () => {
  expect(JSON.parse(explained("0XC0370101", 100, true) ?? "")).toMatchObject({
    version: 1,
    entries: [{ id: "os-mismatch", symptom: expect.stringContaining("0xc0370101") as string }],
  });
  expect(JSON.parse(explained("login-failed", 100, true) ?? "")).toEqual({
    version: 1,
    entries: [
      {
        ...{ id: "login-failed", family: "access", severity: "error" },
        page: "docs/troubleshooting.md#reaching-the-clusters",
        symptom: "the kubeconfig's login command fails",
        messages: ["spawn kubelogin ENOENT"],
        cause:
          "The command that the kubeconfig names for the login is not on the PATH, or there is no login.",
        remedy: ["az login --tenant TENANT", "az aks install-cli   # installs kubelogin"],
        source: "https://azure.github.io/kubelogin/",
      },
    ],
  });
});
