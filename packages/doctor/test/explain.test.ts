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
  expect(explained("0XC0370101", 100)).toBe(
    "os-mismatch: the container operating system does not match the host operating system (0xc0370101)\n",
  );
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
  const found = (explained(pasted, 100) ?? "").trim().split("\n");
  expect(found.map((line) => line.split(":")[0])).toEqual(expect.arrayContaining(ids));
  expect(found.length).toBeLessThan(7);
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
