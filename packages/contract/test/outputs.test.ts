import { outputsVersion, parseManagementOutputs, parsePlan } from "capz-windows-contract";

const ofManagement = {
  managementKubeconfig: "k",
  managementClusterId: "m",
  egressCidrs: ["198.51.100.4/32"],
  clientsNamespace: "c",
};

it("an older management stack has less, and another version of the outputs is refused", () => {
  expect(parseManagementOutputs(ofManagement)).toEqual({ outputs: ofManagement });
  expect(parseManagementOutputs({ ...ofManagement, outputsVersion })).toEqual({
    outputs: { ...ofManagement, outputsVersion: 1 },
  });
  expect(parseManagementOutputs({ ...ofManagement, outputsVersion: 2 })).toEqual({
    problem: "outputsVersion: Invalid input: expected 1",
  });
});

it("all that is wrong with outputs is said at once, without their values", () => {
  const { egressCidrs, ...others } = ofManagement;
  const wrong = {
    ...others,
    managementKubeconfig: 7,
    oidcIssuerUrl: null,
    managementVnetCidrs: [egressCidrs],
  };
  expect(parseManagementOutputs(wrong)).toEqual({
    problem:
      "managementKubeconfig: Invalid input: expected string, received number; egressCidrs: Invalid input: expected array, received undefined; oidcIssuerUrl: Invalid input: expected string, received null; managementVnetCidrs.0: Invalid input: expected string, received array",
  });
  const outputs = { mtu: "1400", wayIn: { kind: "door" }, nextSteps: 5, networkRequirements: [], own: {} };
  expect(parsePlan(JSON.stringify({ version: 2, stack: "s", resources: [], outputs }))).toEqual({
    problem:
      "is damaged: outputs.mtu: Invalid input: expected number, received string; outputs.wayIn.kind: Invalid discriminator value. Expected 'jump' | 'bastion'; outputs.networkRequirements: Invalid input: expected string, received array; outputs.nextSteps: Invalid input. Plan it again.",
  });
  const resources = Array.from({ length: 25 }, () => 0);
  expect(parsePlan(JSON.stringify({ version: 2, stack: "s", resources }))).toEqual({
    problem: expect.stringMatching(
      /^is damaged: resources\.0: [^;]*; .*; resources\.19: [^;]*; and 5 more\. Plan it again\.$/,
    ) as string,
  });
});
