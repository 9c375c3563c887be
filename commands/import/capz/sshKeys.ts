import { withoutUndefined } from "../../../tools/without";
import { publicKeyOf } from "../values";
import { linuxSshKeys } from "../../../bootstrap/sshKeys";
import { keyOnly } from "../../../platform/machines/sshKey";
import { at, list, strings, text, type Plain } from "../../../tools/untyped";
import { machineSpec } from "./machines";
import { bootstrapSpec } from "./nodes";
import type { ClusterObjects } from "./roles";

/** The SSH keys of people: from machines, from users in bootstrap data, and from the file that a stack writes. */

const ownFile = linuxSshKeys(["ssh-ed25519 AAAA"]).files[0]?.path;

const keysInFiles = (spec: Plain): string[] =>
  list(spec.files)
    .filter(({ path }) => path === ownFile)
    .flatMap(({ content }) => text(content).split("\n"));

/** @returns access.sshPublicKey and, where there are more keys, access.additionalSshPublicKeys */
export function sshKeys({ controlPlane, controlPlaneMachines, pools }: ClusterObjects): Plain {
  // Only one key is taken from machines, and none from Windows machines: CAPZ's webhook adds random keys to those that
  // have none.
  const specs = [{ machines: controlPlaneMachines }, ...pools.filter(({ os }) => os === "linux")].map(
    machineSpec,
  );
  const bootstraps = [
    (controlPlane.spec.kubeadmConfigSpec ?? {}) as Plain,
    ...pools.map((pool) => bootstrapSpec(pool)),
  ];
  const found = [
    specs.map((spec) => spec.sshPublicKey).find((key) => key !== undefined),
    ...bootstraps.flatMap(({ users }) =>
      list(users).flatMap((user) => strings(at(user, "sshAuthorizedKeys"))),
    ),
    ...bootstraps.flatMap(keysInFiles),
  ]
    .map((key) => (key === undefined ? undefined : publicKeyOf(key)))
    .filter((key) => key !== undefined);
  const [sshPublicKey, ...more] = found.filter(
    (key, index) => found.findIndex((other) => keyOnly(other) === keyOnly(key)) === index,
  );
  return withoutUndefined({ sshPublicKey, additionalSshPublicKeys: more.length === 0 ? undefined : more });
}
