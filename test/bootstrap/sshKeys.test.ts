import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { controlPlaneKubeadmConfigSpec } from "../../bootstrap/controlPlane";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { today } from "../support/platforms";
import { otherKey, publicKey } from "../support/stacks";

/** Additional SSH keys, beside the one that Azure sets for the user of a Linux machine. */

const args = { ...today, kubernetesVersion: "v1.35.6", mtu: 1400, azureJsonSecret: "s", clusterName: "c" };
const keys = { additionalSshPublicKeys: [otherKey, `${otherKey}: with a colon`] };
/** The expected lines; a comment that YAML would read as a mapping is removed. */
const lines = `${otherKey}\n${otherKey.split(" ").slice(0, 2).join(" ")}\n`;

it.each([
  ["a worker", linuxWorkerKubeadmConfigSpec],
  ["the control plane", controlPlaneKubeadmConfigSpec],
])("%s appends them to those of the user, and makes no user of its own", (_what, build) => {
  const spec = build({ ...args, ...keys });
  expect(spec.users).toBeUndefined();
  expect(spec.files?.find(({ path }) => path === "/etc/ssh/capi_authorized_keys")?.content).toBe(lines);
  expect(spec.preKubeadmCommands?.[0]).toBe(
    "cat /etc/ssh/capi_authorized_keys >> ~capi/.ssh/authorized_keys",
  );
  expect(JSON.stringify(build(args))).not.toContain("authorized_keys");
});

it("a Windows node has them for the user and for administrators", () => {
  const spec = windowsKubeadmConfigSpec({ ...args, ...keys, sshPublicKey: publicKey });
  expect(spec.users?.[0]?.sshAuthorizedKeys).toEqual([publicKey, ...lines.trim().split("\n")]);
  expect(spec.files?.find(({ path }) => path.endsWith("administrators_authorized_keys"))?.content).toBe(
    `${publicKey}\n${lines}`,
  );
});
