import { parse } from "yaml";
import {
  encryptionBootstrap,
  encryptionConfiguration,
  encryptionSecretName,
} from "../../bootstrap/encryption";

/** Encryption in etcd, as kubeadm and the API server get it. */

const one = { resources: ["secrets"], keys: ["a"] };

it("is nothing where it is not asked for", () => {
  expect(encryptionBootstrap(undefined, "blue")).toEqual({
    ...{ args: [], volumes: [], files: [] },
    preKubeadmCommands: [],
  });
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

describe("keys in Key Vault", () => {
  const id = (name: string) =>
    `/subscriptions/s/resourceGroups/keys/providers/Microsoft.KeyVault/vaults/Own/keys/${name}/versions/${"0f".repeat(16)}`;
  const encryption = {
    resources: ["secrets"],
    keys: ["v", "a", "w"],
    keyVaultKeys: { w: id("new"), v: id("etcd") },
  };
  const proxy = { url: "http://10.0.0.9:3128", noProxy: ["169.254.169.254", ".svc"] };
  const { volumes, files, preKubeadmCommands } = encryptionBootstrap(encryption, "blue", proxy);
  const [v, w] = files.slice(1, 3).map(({ content }) => parse(content ?? "") as Pod);
  interface Pod {
    readonly spec: { readonly containers: readonly { readonly args: string[] }[] };
  }

  it("are providers of KMS v2 in the order of the list, and have no bytes", () => {
    expect(parse(encryptionConfiguration(encryption, { a: "AAAA=" }))).toMatchObject({
      resources: [
        {
          providers: [
            { kms: { apiVersion: "v2", name: "v", endpoint: "unix:///run/azure-kms/v.socket" } },
            { secretbox: { keys: [{ name: "a", secret: "AAAA=" }] } },
            { kms: { apiVersion: "v2", name: "w", endpoint: "unix:///run/azure-kms/w.socket" } },
            { identity: {} },
          ],
        },
      ],
    });
  });

  it("are used by one static pod each, which sees no private key of the cluster and goes through the proxy", () => {
    expect(files.map(({ path }) => path)).toEqual([
      "/etc/kubernetes/encryption.yaml",
      "/etc/kubernetes/manifests/encryption-v.yaml",
      "/etc/kubernetes/manifests/encryption-w.yaml",
      "/usr/local/sbin/wait-for-key.sh",
    ]);
    const args = (name: string, key: string, health: number, metrics: number) => [
      `--listen-addr=unix:///run/azure-kms/${name}.socket`,
      ...["--keyvault-name=Own", `--key-name=${key}`, `--key-version=${"0f".repeat(16)}`],
      ...["--config-file-path=/etc/kubernetes/azure.json", `--healthz-port=${health}`],
      ...[`--metrics-addr=${metrics}`, "-v=1"],
    ];
    expect([v, w].map((pod) => pod?.spec.containers[0]?.args)).toEqual([
      args("v", "etcd", 8787, 8095),
      args("w", "new", 8788, 8096),
    ]);
    expect(v).toMatchObject({
      metadata: { name: "encryption-v", namespace: "kube-system" },
      spec: {
        hostNetwork: true,
        containers: [
          {
            image: "mcr.microsoft.com/oss/v2/azure/kms/keyvault:v0.11.0",
            env: [
              { name: "HTTP_PROXY", value: proxy.url },
              { name: "HTTPS_PROXY", value: proxy.url },
              { name: "NO_PROXY", value: "169.254.169.254,.svc" },
            ],
            livenessProbe: { httpGet: { path: "/healthz", port: 8787 } },
          },
        ],
        volumes: [
          { hostPath: { path: "/etc/kubernetes/azure.json", type: "File" } },
          { hostPath: { path: "/etc/ssl/certs", type: "Directory" } },
          { hostPath: { path: "/run/azure-kms", type: "DirectoryOrCreate" } },
        ],
      },
    });
  });

  it("are reached by the API server in the folder of the sockets, and their image and their role are there before kubeadm starts", () => {
    expect(volumes[1]).toEqual({
      ...{ name: "encryption-sockets", readOnly: true, pathType: "DirectoryOrCreate" },
      ...{ hostPath: "/run/azure-kms", mountPath: "/run/azure-kms" },
    });
    const wait = (key: string) =>
      `HTTP_PROXY='${proxy.url}' HTTPS_PROXY='${proxy.url}' NO_PROXY='169.254.169.254,.svc' /usr/local/sbin/wait-for-key.sh https://own.vault.azure.net/keys/${key}/${"0f".repeat(16)} 900 || exit 1`;
    expect(preKubeadmCommands).toEqual([
      "crictl pull mcr.microsoft.com/oss/v2/azure/kms/keyvault:v0.11.0",
      ...["etcd", "new"].map(wait),
    ]);
  });
});
