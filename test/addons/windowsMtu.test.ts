import fc from "fast-check";
import { windowsMtuObjects } from "../../addons/windowsMtu";
import { Flavor, platformOf } from "capz-windows-platform/cluster/platform";
import { at, list } from "capz-windows-kit/untyped";

const objectsOf = (networkMtu: number, ownCni = false) =>
  windowsMtuObjects({ platform: platformOf(Flavor.containerd, "v1.35.6", ownCni), networkMtu });
const podOf = (objects: ReturnType<typeof objectsOf>) =>
  at(
    objects.find(({ kind }) => kind === "DaemonSet"),
    "spec",
    "template",
    "spec",
  );
const containerOf = (objects: ReturnType<typeof objectsOf>) => list(at(podOf(objects), "containers"))[0];

it("is not evicted from a node, and has no access to the API", () => {
  expect(podOf(objectsOf(1400))).toMatchObject({
    priorityClassName: "system-node-critical",
    automountServiceAccountToken: false,
  });
  expect(containerOf(objectsOf(1400))?.image).toBe(
    "mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0",
  );
});

it("gives the host the MTU of the network, and pods what VXLAN leaves of it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1330, max: 1400 }), fc.boolean(), (mtu, ownCni) => {
      expect(containerOf(objectsOf(mtu, ownCni))?.args).toEqual([
        "-NoProfile",
        "$env:CONTAINER_SANDBOX_MOUNT_POINT/scripts/windows-mtu.ps1",
        "-HostMtu",
        String(mtu),
        "-PodMtu",
        String(mtu - 50),
      ]);
    }),
  );
});

it("starts again when its script or the MTU changes", () => {
  const [before, after] = [1400, 1380].map((mtu) => JSON.stringify(podOf(objectsOf(mtu))));
  expect(before).not.toBe(after);
  expect(at(objectsOf(1400)[1], "spec", "template", "metadata", "annotations")).toEqual({
    "capz-windows/script": expect.stringMatching(/^[0-9a-z]{8,}$/) as string,
  });
});
