import { windowsMtuObjects } from "../../addons/windowsMtu";
import { Flavor, platformOf } from "../../platform/cluster/platform";
import { at } from "../../tools/untyped";

const objectsOf = (networkMtu: number, ownCni = false) =>
  windowsMtuObjects({ platform: platformOf(Flavor.containerd, "v1.35.6", ownCni), networkMtu });
const podOf = (objects: ReturnType<typeof objectsOf>) =>
  at(
    objects.find(({ kind }) => kind === "DaemonSet"),
    "spec",
    "template",
    "spec",
  );

it("starts again when its script or the MTU changes", () => {
  const [before, after] = [1400, 1380].map((mtu) => JSON.stringify(podOf(objectsOf(mtu))));
  expect(before).not.toBe(after);
  expect(at(objectsOf(1400)[1], "spec", "template", "metadata", "annotations")).toEqual({
    "capz-windows/script": expect.stringMatching(/^[0-9a-z]{8,}$/) as string,
  });
});
