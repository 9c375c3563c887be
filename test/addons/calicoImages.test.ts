import { calicoResources } from "../../addons/calico";
import { calicoImages, calicoImageSet } from "../../addons/calicoImages";
import { calicoArgs as args, objectsOf, titles } from "./fixtures";

it("has the digests of all images that the operator installs before what makes it install them", () => {
  const digests = Object.fromEntries(calicoImages("v3.31.7").map((image) => [image, "sha256:0a"]));
  const imageSet = calicoImageSet("v3.31.7", digests);
  expect(titles(objectsOf(calicoResources({ ...args, imageSet }))).slice(-4)).toEqual([
    "IPAMConfig default",
    "ImageSet calico-v3.31.7",
    "Installation default",
    "APIServer default",
  ]);
  expect(imageSet?.spec).toEqual({
    images: [
      "apiserver",
      "cni",
      "cni-windows",
      "csi",
      "key-cert-provisioner",
      "kube-controllers",
      "node",
      "node-driver-registrar",
      "node-windows",
      "pod2daemon-flexvol",
      "typha",
    ].map((name) => ({ image: `calico/${name}`, digest: "sha256:0a" })),
  });
  expect(calicoImageSet("v3.32.1", digests)).toBeUndefined();
});
