import { bash, verbatim } from "capz-windows-kit/shell";
import { keyVaultKey } from "capz-windows-platform/encryption/keyVault";
import { at, list, strings, textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";

/** Keys in Key Vault by which API servers encrypt: whether they can be used, and whether they can be lost. */

const { error, warning, unknown, ok } = rowsOf("keys in Key Vault");

/** https://learn.microsoft.com/rest/api/keyvault/keyvault/vaults/get and .../keys/get-version */
const apiVersion = "2023-07-01";

/** Whether a key ends, which Azure says in seconds. */
function ending(ofKey: unknown, called: string, show: string, remedy: string): Row[] {
  const seconds = at(ofKey, "attributes", "exp") ?? undefined;
  if (seconds === undefined) {
    return [];
  }
  const end = new Date(typeof seconds === "number" ? seconds * 1000 : NaN);
  if (Number.isNaN(end.getTime())) {
    return [unknown(`until when ${called} encrypts is not known: Azure's answer is no date`, show)];
  }
  return [
    (end.getTime() < Date.now() ? error : warning)(
      `${called} encrypts until ${end.toISOString().replace(/T.*/, "")} only; without a new key before, no API server can write then`,
      remedy,
    ),
  ];
}

/** What is known of a vault and of a version of a key in it. */
function findings(id: string, vault: unknown, found: unknown, { tenantId }: Needs): Row[] {
  const { vault: name, key, version } = keyVaultKey(id);
  const [ofVault, ofKey] = [at(vault, "properties"), at(found, "properties")];
  const update = bash`az keyvault update --name ${name}`;
  const set = bash`az keyvault key set-attributes --vault-name ${name} --name ${key} --version ${version}`;
  const hasEndpoint = list(at(ofVault, "privateEndpointConnections")).some(
    (one) => textAt(one, "properties", "privateLinkServiceConnectionState", "status") === "Approved",
  );
  const isClosed = textAt(ofVault, "publicNetworkAccess").toLowerCase() === "disabled";
  const lets = list(at(ofVault, "networkAcls", "ipRules")).map((rule) => textAt(rule, "value"));
  const called = `the key ${key} in ${name}`;
  const show = bash`az keyvault key show --vault-name ${name} --name ${key} --version ${version}`;
  const enabled = at(ofKey, "attributes", "enabled");
  return present(
    textAt(ofVault, "tenantId") !== tenantId &&
      error(
        `${name} is in the tenant ${textAt(ofVault, "tenantId")}, and the identity of the control plane in ${tenantId}`,
        "capz-windows:controlPlane: {encryption: {keyVaultKeys: {NAME: ID}}}",
      ),
    at(ofVault, "enableRbacAuthorization") !== true &&
      error(
        `${name} has access policies, so the role that \`up\` assigns does not count`,
        bash`${verbatim(update)} --enable-rbac-authorization true   # its access policies no longer count then`,
      ),
    isClosed &&
      !hasEndpoint &&
      error(
        `${name} has no public access and no approved private endpoint, so no API server reaches it`,
        bash`az keyvault show --name ${name} --query properties.privateEndpointConnections`,
      ),
    !isClosed &&
      textAt(ofVault, "networkAcls", "defaultAction") === "Deny" &&
      !hasEndpoint &&
      warning(
        `${name} lets in only ${lets.join(", ") || "subnets that it names"}: the control plane must come from there, or no API server becomes ready`,
        bash`az keyvault network-rule add --name ${name} --ip-address ADDRESS   # by which machines leave the VNET`,
      ),
    typeof enabled !== "boolean" && unknown(`Azure does not say whether ${called} is enabled`, show),
    enabled === false &&
      error(`${called} is disabled in the version ${version}`, bash`${verbatim(set)} --enabled true`),
    !textAt(ofKey, "kty").startsWith("RSA") &&
      error(
        `${called} is of the type ${textAt(ofKey, "kty")}, and the plugin encrypts with RSA keys only`,
        bash`az keyvault key create --vault-name ${name} --name NEW-NAME --kty RSA --size 2048 --ops encrypt decrypt`,
      ),
    ["encrypt", "decrypt"].some((operation) => !strings(at(ofKey, "keyOps")).includes(operation)) &&
      error(
        `${called} allows ${strings(at(ofKey, "keyOps")).join(", ") || "nothing"}, and the plugin encrypts and decrypts`,
        bash`${verbatim(set)} --ops encrypt decrypt`,
      ),
    ...ending(ofKey, called, show, bash`${verbatim(set)} --expires 2099-12-31T00:00:00Z`),
    at(ofVault, "enablePurgeProtection") !== true &&
      warning(
        `${name} has no purge protection: whoever purges ${key} makes every Secret unreadable, in backups, too`,
        bash`${verbatim(update)} --enable-purge-protection true   # cannot be turned off again`,
      ),
  );
}

async function keyRows(arm: Arm, id: string, needs: Needs): Promise<Row[]> {
  const { vault, vaultId, key, version } = keyVaultKey(id);
  const [there, found] = await Promise.all([vaultId, id].map((one) => orMissing(arm.get(one, apiVersion))));
  if (there === undefined || found === undefined) {
    const [what, command] =
      there === undefined
        ? [vault, bash`az keyvault show --name ${vault} --query id`]
        : [
            `the version ${version} of ${key} in ${vault}`,
            bash`az keyvault key list-versions --vault-name ${vault} --name ${key}`,
          ];
    return [error(`${what} does not exist, or this login may not read it`, command)];
  }
  return findings(id, there, found, needs);
}

export async function keyVaultKeys(arm: Arm, needs: Needs): Promise<Row[]> {
  const rows = (await Promise.all(needs.keyVaultKeys.map((id) => keyRows(arm, id, needs)))).flat();
  return needs.keyVaultKeys.length === 0
    ? []
    : orOk(
        rows,
        ok(
          `${needs.keyVaultKeys.length} can be used, and are protected against purging`,
          "Not asked: whether machines of the control plane reach the vault.",
        ),
      );
}
