import type { Case } from "./ruleCases";

const one = (manifest: object) => ({ extraManifests: { web: manifest } });
const objects = (...list: object[]) => one({ objects: list });
const url = "https://example.com/v1.2.3/install.yaml";
const sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "web" } };
const config = (metadata: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata });

/** Cases of extraManifests. */
export const extraManifestCases: readonly Case[] = [
  [
    "a manifest from nowhere",
    one({}),
    "extraManifests.web: none of file, url and objects is set",
    one({ file: "manifests/web.yaml" }),
  ],
  [
    "a manifest from two places",
    one({ file: "manifests/web.yaml", url, sha256 }),
    "extraManifests.web: file and url are set, and only one may be",
    one({ url, sha256 }),
  ],
  [
    "a download without a digest",
    one({ url }),
    "extraManifests.web.sha256: what a URL serves can change, and without a digest the change would go unnoticed",
    one({ url, sha256 }),
  ],
  [
    "a digest of a file",
    one({ file: "manifests/web.yaml", sha256 }),
    "extraManifests.web.sha256: only a file from a url is compared with a digest",
    one({ file: "manifests/web.yaml" }),
  ],
  [
    "a download that anybody can change on the way",
    one({ url: url.replace("https", "http"), sha256 }),
    "extraManifests.web.url: invalid format",
    one({ url, sha256 }),
  ],
  [
    "a file outside the project",
    one({ file: "../web.yaml" }),
    "extraManifests.web.file: invalid format",
    one({ file: "web..yaml" }),
  ],
  [
    "a file by its absolute path",
    one({ file: "/etc/web.yaml" }),
    "extraManifests.web.file: invalid format",
    one({ file: "etc/web.yaml" }),
  ],
  [
    "a Secret",
    objects(namespace, {
      ...config({ name: "key", namespace: "web" }),
      ...{ kind: "Secret", stringData: { password: "x" } },
    }),
    "extraManifests.web.objects[1]: Secret web/key: what a ClusterResourceSet delivers is stored in plain text in a ConfigMap of the management cluster, and appears in plans",
    // A Secret for the token of a service account, which Kubernetes fills in.
    objects(namespace, {
      ...config({ name: "key", namespace: "web" }),
      ...{ kind: "Secret", type: "kubernetes.io/service-account-token" },
    }),
  ],
  [
    "an object without a namespace",
    objects(config({ name: "settings" })),
    "extraManifests.web.objects[0]: ConfigMap settings names no namespace, and a ClusterResourceSet has no default",
    objects(config({ name: "settings", namespace: "web" })),
  ],
  [
    "an object without a name",
    objects({ apiVersion: "v1", kind: "Namespace" }),
    "extraManifests.web.objects[0]: object 1 is no Kubernetes object",
    objects({ apiVersion: "own.example.org/v1", kind: "Site", metadata: { name: "web" } }),
  ],
  [
    "a list of objects in one document",
    objects({ apiVersion: "v1", kind: "List", items: [namespace] }),
    "extraManifests.web.objects[0]: List: a ClusterResourceSet applies no lists",
    objects(namespace),
  ],
];
