import { z } from "zod";
import { ManifestStrategy } from "capz-windows-platform/manifests/userManifests";
import { placeholder } from "capz-windows-kit/writeLine";
import { keyWithDefault, mapping, optionalKey, poolName } from "./scalars";

/** Manifests of the user's own. */

const exampleObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "web" },
};

const manifest = mapping("Exactly one of file, url and objects", {
  file: optionalKey(z.string().regex(/^(?![\s/])(?!.*\\)(?!(.*\/)?\.\.(\/|$)).*\S$/), {
    description:
      "File with a YAML stream, in the folder of Pulumi.yaml or below it, so that a plan of another commit reads that commit's; not together with url or objects",
    allowed: "a path without .. that does not begin with /, without spaces around it",
    examples: ["manifests/web.yaml"],
  }),
  url: optionalKey(z.string().regex(/^https:\/\/[^\s/]+\/\S+$/), {
    description:
      "URL of a YAML stream, with sha256, and not together with file or objects. `pulumi up` downloads it once and checks sha256; a plan has it if it is in the folder that CAPZ_WINDOWS_MANIFEST_CACHE names, and else says so",
    allowed: "https://HOST/PATH, of one version: not a branch, and not latest",
    examples: ["https://example.com/releases/v1.2.3/install.yaml"],
  }),
  sha256: optionalKey(z.string().regex(/^[0-9a-f]{64}$/), {
    description: "sha256 of what url has, required with url: curl -sL URL | sha256sum",
    allowed: "64 hexadecimal digits in lower case",
    // The digest of an example is that of another file.
    placeholder: placeholder("sha256 of the file"),
    examples: ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  }),
  objects: optionalKey(
    z
      .array(
        z.record(z.string(), z.unknown()).meta({ allowed: "a Kubernetes object", examples: [exampleObject] }),
      )
      .min(1),
    {
      description: "Objects as they are; not together with file or url",
      allowed: "a list of Kubernetes objects, at least one",
      examples: [[exampleObject]],
    },
  ),
  strategy: keyWithDefault(z.enum(ManifestStrategy), "Reconcile", {
    description:
      "Reconcile applies what changes in the stack again. ApplyOnce leaves what is delivered to the cluster: later changes reach it no more",
    examples: ["Reconcile"],
  }),
});

export const extraManifests = keyWithDefault(
  z.record(poolName, manifest),
  {},
  {
    description:
      "Manifests of your own for the workload cluster by name, each delivered by a ClusterResourceSet after the network. What is taken out of it stays in the cluster. No Secrets, no objects that the program delivers itself, and each document less than 900 KiB",
    allowed: "a mapping of names to {file}, {url, sha256} or {objects}, each with a strategy",
    examples: [{ web: { objects: [exampleObject] } }],
  },
);
