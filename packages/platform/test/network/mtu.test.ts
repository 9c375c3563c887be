import fc from "fast-check";
import type { Cni } from "capz-windows-platform/cluster/platform";
import { azureVnetMtu, expectedMtus, vxlanMtu } from "capz-windows-platform/network/mtu";
import { always } from "capz-windows-test-kit/always";

const anyCni = fc.constantFrom<Cni>("calico", "calico-manifests", "flannel", "none");
/** What network.mtu may be. */
const anyMtu = fc.integer({ min: 1330, max: 9000 });

it("the MTU of pods is 50 bytes less than that of the network, 1350 on Azure", () => {
  expect(vxlanMtu(azureVnetMtu)).toBe(1350);
});

it(
  "encapsulated, no packet of any pod is larger than what the network carries",
  always(anyCni, anyMtu, (cni, mtu) => {
    const { linux, windows } = expectedMtus(cni, mtu);
    expect(linux.pod.bytes + 50).toBe(mtu);
    // HNS gives pods 50 less than Azure's 1500, and no more where the network carries more.
    expect([windows.pod.bytes + 50, windows.host.bytes]).toEqual([Math.min(mtu, 1500), Math.min(mtu, 1500)]);
    // A CNI that derives the MTU of its pods from the host's must find that of the network there, and Calico's
    // encapsulated packets must fit into the host's.
    expect(linux.host.bytes).toBe(cni === "none" || cni === "flannel" ? mtu : Math.max(mtu, 1500));
  }),
);

it("names what sets each, and leaves less to a CNI of the users", () => {
  expect(expectedMtus("calico", 1400)).toEqual({
    linux: {
      host: { bytes: 1500, orLess: false, from: "Azure" },
      pod: { bytes: 1350, orLess: false, from: "Calico" },
    },
    windows: {
      host: { bytes: 1400, orLess: false, from: "windows-mtu" },
      pod: { bytes: 1350, orLess: false, from: "windows-mtu" },
    },
  });
  expect(expectedMtus("calico", 3900)).toEqual({
    linux: {
      host: { bytes: 3900, orLess: false, from: "set-mtu.sh" },
      pod: { bytes: 3850, orLess: false, from: "Calico" },
    },
    windows: {
      host: { bytes: 1500, orLess: false, from: "windows-mtu" },
      pod: { bytes: 1450, orLess: false, from: "windows-mtu" },
    },
  });
  expect(expectedMtus("none", 1380)).toEqual({
    linux: {
      host: { bytes: 1380, orLess: false, from: "set-mtu.sh" },
      pod: { bytes: 1330, orLess: true, from: "your CNI" },
    },
    windows: {
      host: { bytes: 1380, orLess: false, from: "windows-mtu" },
      pod: { bytes: 1330, orLess: true, from: "windows-mtu" },
    },
  });
});
