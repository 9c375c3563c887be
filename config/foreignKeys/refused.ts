import type { Absent } from "./foreignKey";

/** Keys that cannot exist under any similar name. `path` matches the whole path, with dots. */
export const refusedKeys: readonly { readonly path: RegExp; readonly answer: Absent }[] = [
  {
    path: /passw(or)?d$/i,
    answer: {
      problem:
        "passwords are not supported: cloudbase-init sets a random one on each node, which is not stored anywhere and not needed",
      allowed: "access.sshPublicKey, for logging in to Windows and Linux nodes",
      note: "for RDP, set a password over SSH (docs/operations.md)",
    },
  },
  {
    path: /^(linux|windows)Pools\.[^.]+\.(in_?place|upgrade(?!settings))/i,
    answer: {
      problem: "nodes are not upgraded in place: Cluster API treats machines as immutable and replaces them",
      allowed:
        "kubernetesVersion or image for what changes, rollout for how many nodes are replaced at a time",
    },
  },
  {
    path: /^(linuxPools\.[^.]+|poolDefaults)\.deletion\.node(Drain|VolumeDetach)Timeout/i,
    answer: {
      problem:
        "Cluster API v1.14 passes no drain limit to machines of a scale set, and Linux pools are scale sets",
      allowed:
        "drain and waitForVolumeDetach; the limit in Windows pools of kind MachineDeployment and in controlPlane",
    },
  },
];
