import { settingsWith } from "../support/stacks";

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
