import { loadSettings } from "../../config/load";
import { clusterSections } from "../../plan/reports/clusterRows";
import { imagesInObjects } from "../../plan/model/images";
import { planFiles } from "../../plan/render/render";
import { updateInline } from "../support/inlinePlans";
import { privateOutbound } from "../support/networks";
import { minimal, reportWith } from "../support/stacks";

/** Keys in Key Vault in a stack file: which IDs are right, what is warned of, and what a plan says about them. */

const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/keys";
const key = `${group}/providers/Microsoft.KeyVault/vaults/own/keys/etcd/versions/0123456789abcdef0123456789abcdef`;
const encryption = (id: string) => ({ encryption: { keys: ["vault"], keyVaultKeys: { vault: id } } });

it.each([
  ["a key without its version", key.replace(/\/versions.*/, "")],
  ["the URL of a key", "https://own.vault.azure.net/keys/etcd/0123456789abcdef0123456789abcdef"],
  ["a name of a vault that is too long", key.replace("/own/", "/own-own-own-own-own-own-1/")],
  ["a name of a vault that Azure does not allow", key.replace("/own/", "/own_1/")],
  ["a key in a managed HSM", key.replace("/vaults/", "/managedHSMs/")],
])("%s is refused", (_, wrong) => {
  const [before, after] = reportWith({ controlPlane: encryption(wrong) }).split(/    value .*\n/);
  expect([before, after]).toEqual([
    "Pulumi.test.yaml: 1 problem\n\n  controlPlane.encryption.keyVaultKeys.vault\n",
    "    problem  invalid format\n    allowed  the ARM ID of a version of a key, /subscriptions/ID/resourceGroups/NAME/providers/Microsoft.KeyVault/vaults/VAULT/keys/KEY/versions/VERSION, a vault of 3–24 letters, digits and -, a version of 32 hexadecimal digits\n    write    vault: <an allowed value>",
  ]);
});

it("a key in Key Vault beside a list without keys", () => {
  const keys = { encryption: { keys: ["identity"], keyVaultKeys: { vault: key } } };
  expect(reportWith({ controlPlane: keys })).toContain(
    [
      "  controlPlane.encryption.keyVaultKeys.vault",
      "    problem  vault is not among keys, so nothing is read or written with it",
      "    allowed  a name in keys",
    ].join("\n"),
  );
});

const warnings = (more: object, controlPlane: object = encryption(key)) =>
  loadSettings(
    { ...minimal(), ...privateOutbound({ type: "none" }, { ...more, controlPlane }) },
    "test",
  ).warnings.filter(({ path }) => path.includes("keyVaultKeys"));
const registryMirror = { url: "https://mirror.example.com", fallback: false };

it("warns that nothing leads to the vault", () => {
  expect(warnings({ registryMirror })).toEqual([
    {
      path: "controlPlane.encryption.keyVaultKeys",
      message:
        "machines have no way out (network.outbound), and no API server becomes ready that does not reach own.vault.azure.net: give the vault a private endpoint in the VNET or in one that is peered with it, and the private zone privatelink.vaultcore.azure.net",
    },
  ]);
  expect(warnings({ proxy: { url: "http://proxy.example.com:3128" } })).toEqual([]);
  expect(warnings({ registryMirror }, { encryption: { keys: ["a"] } })).toEqual([]);
});

describe("a plan", () => {
  const image = "mcr.microsoft.com/oss/v2/azure/kms/keyvault:v0.11.0";
  const digest = `sha256:${"0f".repeat(32)}`;
  const outbound = { type: "firewall", firewallAddress: "10.50.0.4" } as const;
  let plan: Awaited<ReturnType<typeof updateInline>>;
  let files: ReturnType<typeof planFiles>;

  beforeAll(async () => {
    const more = { controlPlane: encryption(key), imageDigests: { [image]: digest } };
    plan = await updateInline({ ...minimal(), ...privateOutbound(outbound, more) });
    files = planFiles(plan);
  });

  it("tells whoever runs the firewall, makes no provider of random bytes without a key of the program, and names the plugin", () => {
    const lines = JSON.stringify(
      clusterSections(plan.cluster).flatMap(({ rows }) => rows.flatMap((row) => row.lines)),
    );
    expect(lines).toContain("TCP 443: own.vault.azure.net (named in their files and commands)");
    expect(lines).toContain("secrets encrypted in etcd with the key vault in own.vault.azure.net");
    expect(plan.update.resources.filter(({ type }) => type.includes("random"))).toEqual([]);
  });

  it("has a custom role with actions on data", () => {
    expect(JSON.parse(files.get("rights/controlPlane.json") ?? "")).toMatchObject({
      DataActions: [
        "Microsoft.KeyVault/vaults/keys/decrypt/action",
        "Microsoft.KeyVault/vaults/keys/encrypt/action",
      ],
    });
  });

  it("has the image of the plugin with the digest that the stack asks for", () => {
    expect(imagesInObjects(plan.objects)).toContain(`${image}@${digest}`);
    const userData = files.get("nodes/control-plane/user-data.txt") ?? "";
    expect(userData.replace(/^ +/gm, "")).toContain(`\nimage: ${image}@${digest}\n`);
    expect(userData).toContain(`"crictl pull ${image}@${digest}"`);
  });
});
