import { staticPodsOf } from "capz-windows-platform/manifests/staticPods";

/** Pods that kubelet starts from files of a machine. */

const pod = "kind: Pod\nmetadata: {name: a}\nspec: {hostPID: true}\n";
const namesIn = (file: object): unknown[] =>
  staticPodsOf({ spec: { kubeadmConfigSpec: { files: [file] } } }).map(({ metadata }) => metadata.name);

it.each<[string, object, readonly string[]]>([
  ["a file", { path: "/etc/kubernetes/manifests/a.yaml", content: pod }, ["a"]],
  ["a path with other slashes", { path: "/etc/kubernetes//manifests/./a.yaml", content: pod }, ["a"]],
  [
    "a file in base64",
    {
      path: "/etc/kubernetes/manifests/a.yaml",
      encoding: "base64",
      content: Buffer.from(pod).toString("base64"),
    },
    ["a"],
  ],
  ["another folder", { path: "/etc/kubernetes/a.yaml", content: pod }, []],
  ["a mapping that is no pod", { path: "/etc/kubernetes/manifests/a.yaml", content: "a: b" }, []],
  ["a text", { path: "/etc/kubernetes/manifests/a.yaml", content: "a" }, []],
  ["a pod without a name", { path: "/etc/kubernetes/manifests/a.yaml", content: "kind: Pod" }, []],
  ["no content", { path: "/etc/kubernetes/manifests/a.yaml" }, []],
])("are read from %s", (_, file, names) => {
  expect(namesIn(file)).toEqual(names);
});
