import { readFileSync } from "node:fs";
import { join } from "node:path";
import { omitted } from "../../commands/import/findings";
import { missingIn, named, substitute } from "../../commands/import/variables";
import { importText, templateVariables } from "./support";

/** Like clusterctl's envsubst (github.com/drone/envsubst v2, README). */
const variables = { NAME: "web", EMPTY: "", VERSION: "v1.36.0+abc+d", WINDOWS: "windows-2022" };

describe("variables of a template", () => {
  test.each([
    ["${NAME}-cp", "web-cp"],
    ["${EMPTY:=x}", "x"],
    ["${EMPTY=x}", ""],
    ["${NONE:-x}", "x"],
    ["${NONE-x}", "x"],
    ['${NONE:=""}', '""'],
    ["${GROUP:=${NAME}-group}", "web-group"],
    ["${GROUP:=${OTHER:=${NAME}}-group}", "web-group"],
    ["${WINDOWS#windows-}", "2022"],
    ["${WINDOWS%-2022} ${WINDOWS%-*} ${WINDOWS%.*}", "windows windows windows-2022"],
    ["${WINDOWS#other}", "windows-2022"],
    ["${VERSION/+/_}", "v1.36.0_abc+d"],
    ["${VERSION//+/_}", "v1.36.0_abc_d"],
    ["$${NAME} $$x", "${NAME} $x"],
    ["$(date) $NAME", "$(date) $NAME"],
  ])("%s is %s", (text, expected) => {
    expect(substitute(text, variables)).toBe(expected);
  });

  test("without a value are listed, and marked where they are used", () => {
    const text = substitute("a-${AZURE_SUBSCRIPTION_ID}-${NAME}-${X1}", variables);
    expect(missingIn(text)).toEqual(["AZURE_SUBSCRIPTION_ID", "X1"]);
    expect(named(text)).toBe("a-<AZURE_SUBSCRIPTION_ID>-web-<X1>");
  });

  test("that are not closed are refused", () => {
    expect(() => substitute("a: ${NAME", variables)).toThrow("a ${ is not closed: ${NAME");
  });
});

test("a template with a private API server and a bastion becomes a stack with the former, and no line of a hosts file for it", async () => {
  const hosts = [
    "echo '10.20.0.100 web-x.westeurope.cloudapp.azure.com' >> /etc/hosts",
    "Add-Content 'C:\\Windows\\System32\\drivers\\etc\\hosts' '10.20.0.100 apiserver.web.capz.io'",
  ];
  const own = "echo '10.20.0.9 files.example.org' >> /etc/hosts";
  const text = readFileSync(join(__dirname, "sources/template.yaml"), "utf8")
    .replace(
      "  networkSpec:\n",
      `  bastionSpec: { azureBastion: { name: web-bastion } }
  networkSpec:
    controlPlaneOutboundLB: { frontendIPsCount: 1 }
    nodeOutboundLB: { frontendIPsCount: 1 }
    apiServerLB: { type: Internal, frontendIPs: [{ name: web-ilb, privateIP: 10.20.0.100 }] }
`,
    )
    .replace("vmSize: Standard_D8s_v5", "$&\n      allocatePublicIP: true")
    .replace(
      "[powershell C:/own.ps1",
      () => `${JSON.stringify([...hosts, own]).slice(0, -1)}, powershell C:/own.ps1`,
    );
  const { config, leftOut, unexplained } = await importText(text, templateVariables);
  expect(config).toHaveProperty("windowsPools.win.preKubeadmCommands", [own, "powershell C:/own.ps1"]);
  expect(config).toHaveProperty("network.apiServer", {
    ...{ private: true, ip: "10.20.0.100" },
    linkedVnetIds: [expect.stringContaining("the VNET of the management cluster")],
  });
  expect(leftOut.map(({ from }) => from)).toEqual(
    expect.arrayContaining([
      ...["apiServerLB.frontendIPs[web-ilb]", "controlPlaneOutboundLB.frontendIPsCount"].map(
        (field) => `AzureCluster spec.networkSpec.${field}`,
      ),
      "AzureCluster spec.networkSpec.nodeOutboundLB.frontendIPsCount",
      "AzureCluster spec.bastionSpec.azureBastion.name",
      "AzureMachineTemplate spec.template.spec.allocatePublicIP",
      ...hosts.map((command) => `KubeadmConfig win preKubeadmCommands: ${command}`),
    ]),
  );
  expect(new Set(leftOut.filter(({ from }) => from.includes("hosts")).map(({ why }) => why))).toEqual(
    new Set([
      "nodes of the stack find the API server by DNS, without an entry in the hosts file: at its public address, or at its private one with network.apiServer",
    ]),
  );
  expect(unexplained).toEqual([]);
});

test("addresses of Azure CNI for pods are left out, and an interface with one address is not", async () => {
  const template = readFileSync(join(__dirname, "sources/template.yaml"), "utf8");
  const machines = (addresses: number) =>
    template.replaceAll(
      /\n( +)vmSize: /g,
      `\n$1networkInterfaces: [{ privateIPConfigs: ${addresses}, acceleratedNetworking: false }]$&`,
    );
  const { config, leftOut, open, unexplained } = await importText(machines(110), templateVariables);
  expect(open.map(({ path }) => path)).toEqual(["network.podCidr"]);
  expect(JSON.stringify(config)).not.toContain("privateIPConfigs");
  expect(config).toHaveProperty("windowsPools.win.acceleratedNetworking", false);
  const why =
    "the addresses of privateIPConfigs are for pods of Azure CNI, which the stack does not install: pods have addresses of network.podCidr";
  expect(leftOut.filter((one) => one.why === why)).toHaveLength(3);
  expect(unexplained).toEqual([]);
  const single = await importText(machines(1), templateVariables);
  expect(single.leftOut.filter((one) => one.why === why)).toEqual([]);
});

test.each([
  [
    "pods: { cidrBlocks: [192.168.0.0/16, fd00:10::/56] }",
    "podCidr",
    /^one IPv4 range .* 192\.168\.0\.0\/16, fd00:10::\/56/,
  ],
  ["services: { cidrBlocks: [172.20.0.0/16, fd00::/112] }", "podCidr", /fd00::\/112/],
  ["services: { cidrBlocks: [172.20.0.0/16, 172.21.0.0/16] }", "serviceCidr", /172\.21\.0\.0\/16/],
])("a source with a range that a stack cannot have is not complete: %s", async (ranges, key, what) => {
  const text = readFileSync(join(__dirname, "sources/template.yaml"), "utf8");
  const { open } = await importText(
    text.replace("pods: { cidrBlocks: [192.168.0.0/16] }", ranges),
    templateVariables,
  );
  expect(open).toEqual(
    expect.arrayContaining([{ path: `network.${key}`, what: expect.stringMatching(what) as string }]),
  );
  expect((await importText(text, templateVariables)).open).toEqual([]);
});

test("endpoints of subnets are named as lost, and annotations of users are kept", async () => {
  const text = readFileSync(join(__dirname, "sources/template.yaml"), "utf8")
    .replace(
      "cidrBlocks: [10.20.0.0/16] }",
      "cidrBlocks: [10.20.0.0/16] }\n    subnets:\n      - { name: cp, role: control-plane, cidrBlocks: [10.20.0.0/24] }\n      - { name: nodes, role: node, cidrBlocks: [10.20.1.0/24], serviceEndpoints: [{ service: Microsoft.Storage, locations: [westeurope] }] }",
    )
    .replace(
      "kind: MachinePool\nmetadata: {",
      'kind: MachinePool\nmetadata: { annotations: { cluster.x-k8s.io/externally-managed-replicas: "true" },',
    );
  const { config, leftOut } = await importText(text, templateVariables);
  expect(leftOut.filter(({ why }) => why.startsWith("not carried: its serviceEndpoints;"))).toHaveLength(1);
  expect(JSON.stringify(config)).toContain('"cluster.x-k8s.io/externally-managed-replicas":"true"');
});

test("an image whose name has a variable stays, with the variable for the user", async () => {
  const image = {
    gallery: "own4capi",
    name: "ubuntu-capi-${KUBERNETES_VERSION}",
    version: "${IMAGE_VERSION}",
  };
  const text = readFileSync(join(__dirname, "sources/template.yaml"), "utf8").replace(
    /(kind: AzureMachineTemplate\n(?:(?!---)[^])*?\n {4}spec:\n)/,
    `$1      image: ${JSON.stringify({ computeGallery: image })}\n`,
  );
  const others = omitted(templateVariables, "KUBERNETES_VERSION") as typeof templateVariables;
  const { config, leftOut, open } = await importText(text, others);
  expect(config).toHaveProperty("controlPlane.image.computeGallery", {
    ...image,
    name: "ubuntu-capi-<KUBERNETES_VERSION>",
    version: "<IMAGE_VERSION>",
  });
  expect(leftOut.filter(({ why }) => why.includes("denotes an image"))).toEqual([]);
  expect(open.map(({ path }) => path)).toContain("controlPlane.image.computeGallery.name");
});

test("a template with another value for an argument that every control plane needs is read, and the value is named as left out", async () => {
  const { leftOut, unexplained } = await importText(
    readFileSync(join(__dirname, "sources/template.yaml"), "utf8").replace(
      "cloud-provider: external",
      "cloud-provider: azure",
    ),
    templateVariables,
  );
  const from =
    "KubeadmControlPlane spec.kubeadmConfigSpec.initConfiguration.nodeRegistration.kubeletExtraArgs[cloud-provider].value";
  expect(leftOut).toContainEqual({
    from,
    why: "the program computes this itself, from what a stack file says, and an override may not change it",
  });
  expect(unexplained).toEqual([]);
});
