import { parse } from "yaml";
import {
  encryptionBootstrap,
  encryptionConfiguration,
  encryptionSecretName,
} from "../../bootstrap/encryption";

/** Encryption in etcd, as kubeadm and the API server get it. */

const one = { resources: ["secrets"], keys: ["a"] };

it("is nothing where it is not asked for", () => {
  expect(encryptionBootstrap(undefined, "blue")).toEqual({ args: [], volumes: [], files: [] });
});

it("is a file that only root reads, from a Secret whose name follows from the list", () => {
  const { args, volumes, files } = encryptionBootstrap(one, "blue");
  expect(args).toEqual([{ name: "encryption-provider-config", value: "/etc/kubernetes/encryption.yaml" }]);
  expect(volumes).toEqual([
    {
      ...{ name: "encryption", readOnly: true, pathType: "File" },
      hostPath: "/etc/kubernetes/encryption.yaml",
      mountPath: "/etc/kubernetes/encryption.yaml",
    },
  ]);
  expect(files).toEqual([
    {
      ...{ path: "/etc/kubernetes/encryption.yaml", owner: "root:root", permissions: "0600" },
      contentFrom: { secret: { name: encryptionSecretName("blue", one), key: "secrets.a.yaml" } },
    },
  ]);
});

it("has another Secret after each change of the list, and no other change", () => {
  const names = [
    one,
    { ...one, keys: ["b"] },
    { ...one, keys: ["a", "b"] },
    { ...one, keys: ["b", "a"] },
    { ...one, keys: ["identity", "a"] },
    { ...one, resources: ["secrets", "configmaps"] },
  ].map((encryption) => encryptionSecretName("blue", encryption));
  expect(new Set(names).size).toBe(names.length);
  expect(encryptionSecretName("blue", { ...one })).toBe(names[0]);
});

it.each([
  [["a"], ["a", "identity"]],
  [
    ["b", "a"],
    ["b", "a", "identity"],
  ],
  [
    ["identity", "a"],
    ["identity", "a"],
  ],
])("the list %j has the providers %j", (keys, order) => {
  const text = encryptionConfiguration({ resources: ["secrets"], keys }, { a: "AAAA=", b: "BBBB=" });
  const provider = (name: string) =>
    name === "identity"
      ? { identity: {} }
      : { secretbox: { keys: [{ name, secret: name === "a" ? "AAAA=" : "BBBB=" }] } };
  expect(parse(text)).toEqual({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    resources: [{ resources: ["secrets"], providers: order.map(provider) }],
  });
});
