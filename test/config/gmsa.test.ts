import { loadSettings } from "../../config/load";
import { minimal, settingsWith } from "../support/stacks";

const identity = (name: string) =>
  `/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

describe("the identity of the gMSA plug-in", () => {
  const pools = {
    win1: { identityIds: [identity("pull")] },
    win2: {},
    win3: { identityIds: [identity("gmsa")] },
  };
  const idsOf = (gmsa: object) =>
    Object.values(
      settingsWith({ windowsPools: pools, linuxPools: { lin1: {} }, addons: { gmsa } }).windowsPools,
    ).map(({ identityIds }) => identityIds);

  it("is on every Windows pool, once and after the pool's own", () => {
    expect(idsOf({ enabled: true, keyVaultIdentity: identity("gmsa") })).toEqual([
      [identity("pull"), identity("gmsa")],
      [identity("gmsa")],
      [identity("gmsa")],
    ]);
  });

  it("changes no pool where there is none", () => {
    expect(idsOf({ enabled: true })).toEqual([[identity("pull")], [], [identity("gmsa")]]);
  });

  it("is on no Linux pool", () => {
    const { linuxPools } = settingsWith({
      linuxPools: { lin1: {} },
      addons: { gmsa: { enabled: true, keyVaultIdentity: identity("gmsa") } },
    });
    expect(linuxPools.lin1?.identityIds).toEqual([]);
  });
});

it("an image of one's own gets a warning that it needs the plug-in, if there is an identity for it", () => {
  const warningsWith = (gmsa: object) =>
    loadSettings(
      {
        ...minimal(),
        windowsPools: { own: { image: { id: "/subscriptions/x" } }, reference: {} },
        addons: { gmsa },
      },
      "test",
    ).warnings.filter(({ message }) => message.includes("CCGAKVPlugin"));
  expect(warningsWith({ enabled: true, keyVaultIdentity: identity("gmsa") })).toEqual([
    {
      path: "windowsPools.own.image",
      message:
        "addons.gmsa.keyVaultIdentity needs the plug-in CCGAKVPlugin.dll in the image: image-builder puts it into images for Azure (gmsa_keyvault_url), check that this one has it",
    },
  ]);
  expect(warningsWith({ enabled: true })).toEqual([]);
});

const metadataWarnings = (addons: object) =>
  loadSettings({ ...minimal(), addons }, "test")
    .warnings.filter(({ path }) =>
      ["addons.azureMetadata.blocked", "addons.gmsa.keyVaultIdentity"].includes(path),
    )
    .map(({ path, message }) => `${path}: ${message}`);

describe("the identity of the key vault", () => {
  const gmsa = { enabled: true, keyVaultIdentity: identity("gmsa") };
  const what =
    "on Windows nodes can get tokens of this identity from 169.254.169.254, and with them what it reads in the key vault: the account that fetches the passwords of the gMSAs";

  it("is out of reach for pods by default", () => {
    expect(metadataWarnings({ gmsa })).toEqual([]);
  });

  it.each([
    [
      { azureMetadata: { allowedNamespaces: ["monitoring"] } },
      [`addons.gmsa.keyVaultIdentity: pods of monitoring (addons.azureMetadata.allowedNamespaces) ${what}`],
    ],
    [{ cni: "none" }, [`addons.gmsa.keyVaultIdentity: all pods ${what}`]],
    [
      { azureMetadata: { blocked: false } },
      [
        "addons.azureMetadata.blocked: every pod can get tokens of the identities of its node from 169.254.169.254, on the control plane of one that may run commands on every machine, and read at 168.63.129.16 what Azure tells the machine's agent (CVE-2021-27075); `allowedNamespaces` opens both to single namespaces",
        `addons.gmsa.keyVaultIdentity: all pods ${what}`,
      ],
    ],
  ])("with %j there is a warning", (addons, expected) => {
    expect(metadataWarnings({ gmsa, ...addons })).toEqual(expected);
  });
});
