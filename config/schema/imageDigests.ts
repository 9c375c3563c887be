import { z } from "zod";
import { placeholder } from "capz-windows-kit/writeLine";
import { matching, optionalKey } from "./scalars";

/** No image has the digest of nothing. */
const example = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** @param what - whose digest a user must write */
const digest = (what: string, description: string) =>
  matching(/^sha256:[0-9a-f]{64}$/, {
    description,
    allowed: "sha256: and 64 hexadecimal digits in lower case",
    placeholder: placeholder(`digest of ${what}`),
    examples: [example],
  });

const image = "registry.k8s.io/metrics-server/metrics-server:v0.9.0";

export const imageDigests = optionalKey(
  z.record(
    matching(/^[a-z0-9][^\s@"']*:[\w.-]+$/, {
      allowed: "an image with its tag, and without a digest",
      examples: [image],
    }),
    digest("the image", "Digest of the image; of one for several platforms that of its index"),
  ),
  {
    description:
      "Digests of container images by name and tag, so that nodes run what the registries had under these tags then: in the objects of add-ons, of what Calico's operator installs (all of its images or none), the autoscaler, the sample workload, extraManifests and the plugin for keys in Key Vault. `npm run images -- NAME --digests --write` asks the registries and writes them; the policy image-without-digest finds images without one ([images](images.md#container-images-by-digest))",
    allowed: "a mapping of images with tags to digests",
    examples: [{ [image]: example }],
  },
);

/** A key of clusterApi. */
export const artifactDigests = z
  .strictObject({
    certManager: digest("the archive", "The archive of the cert-manager chart").optional(),
    operator: digest("the archive", "The archive of the chart of the Cluster API operator").optional(),
    core: digest("the file", "core-components.yaml of Cluster API").optional(),
    bootstrap: digest("the file", "bootstrap-components.yaml of Cluster API").optional(),
    controlPlane: digest("the file", "control-plane-components.yaml of Cluster API").optional(),
    azure: digest("the file", "infrastructure-components.yaml of CAPZ").optional(),
  })
  .optional()
  .meta({
    description:
      "Digests of what is downloaded to install Cluster API, each of one version. `npm run images -- NAME --digests --write` downloads it and writes them, `pulumi up` makes nothing if one differs and installs the charts from the archives that it has verified, and the policy artifact-without-digest finds what has none. Not possible for what is in componentsRepository ([images](images.md#charts-and-providers-by-digest))",
    allowed: "a mapping of certManager, operator, core, bootstrap, controlPlane and azure to digests",
  });
