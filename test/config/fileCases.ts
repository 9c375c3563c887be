import type { Case } from "./ruleCases";

const path = "C:/k/own.txt";
const win1 = (...files: object[]) => ({ windowsPools: { win1: { files } } });
const secretFiles = "licence.key: abc\n";
const secret = { name: "licences", key: "licence.key" };

const pem = (label: string) =>
  `-----BEGIN ${label}-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49\n-----END ${label}-----\n`;
const extension = (settings: object) => ({ name: "Agent", publisher: "Own", version: "1.0", settings });
const win1Extension = (settings: object) => ({
  windowsPools: { win1: { vmExtensions: [extension(settings)] } },
});
const configMap = (data: object) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "web", namespace: "default" },
  data,
});
const keyProblem = (who: string) =>
  `a private key, which is not shown here, and which ${who} could read: it is compromised, so replace it`;

export const fileCases: readonly Case[] = [
  [
    "a private key as the content of a file",
    win1({ path, content: pem("RSA PRIVATE KEY") }),
    `windowsPools.win1.files[0].content: ${keyProblem("every program on the nodes")}`,
    win1({ path, content: "if ($line -match '-----BEGIN RSA PRIVATE KEY-----') { exit 1 }" }),
  ],
  [
    "a private key in a command",
    {
      windowsPools: {
        win1: { preKubeadmCommands: ["hostname", `echo "${pem("PRIVATE KEY").replaceAll("\n", "\\n")}"`] },
      },
    },
    `windowsPools.win1.preKubeadmCommands[1]: ${keyProblem("every program on the nodes")}`,
    { windowsPools: { win1: { preKubeadmCommands: ["hostname"] } } },
  ],
  [
    "a private key for all pools",
    {
      poolDefaults: { vmExtensions: [extension({ key: pem("EC PRIVATE KEY") })] },
      windowsPools: { win1: {}, win2: {} },
    },
    `poolDefaults.vmExtensions[0].settings.key: ${keyProblem("anyone who can read the machines in Azure")}`,
    { poolDefaults: { vmExtensions: [extension({ key: "none" })] } },
  ],
  [
    "a private key for an extension",
    win1Extension({ key: pem("ENCRYPTED PRIVATE KEY") }),
    `windowsPools.win1.vmExtensions[0].settings.key: ${keyProblem("anyone who can read the machines in Azure")}`,
    win1Extension({ key: "C:/k/key.pem" }),
  ],
  [
    "a private key in a manifest",
    { extraManifests: { web: { objects: [configMap({ "tls.key": pem("PRIVATE KEY") })] } } },
    `extraManifests.web.objects[0].data["tls.key"]: ${keyProblem("anyone who can read ConfigMaps of the management cluster")}`,
    { extraManifests: { web: { objects: [configMap({ "tls.key": "in the Secret web-tls" })] } } },
  ],
  [
    "a file without content",
    win1({ path }),
    "windowsPools.win1.files[0]: the file has no content",
    win1({ path, content: "a" }),
  ],
  [
    "a file with two contents",
    win1({ path, content: "a", contentFrom: { secret } }),
    "windowsPools.win1.files[0]: both content and contentFrom are set",
    win1({ path, contentFrom: { secret } }),
  ],
  [
    "a secret content from two places",
    { secretFiles, ...win1({ path, contentFrom: { secret, secretFile: "licence.key" } }) },
    "windowsPools.win1.files[0].contentFrom: both secretFile and secret are set",
    { secretFiles, ...win1({ path, contentFrom: { secretFile: "licence.key" } }) },
  ],
  [
    "a secret content from nowhere",
    { secretFiles, ...win1({ path, contentFrom: {} }) },
    "windowsPools.win1.files[0].contentFrom: neither secretFile nor secret is set",
    { secretFiles, ...win1({ path, contentFrom: { secretFile: "licence.key" } }) },
  ],
  [
    "a secret content without the key that has it",
    win1({ path, contentFrom: { secretFile: "licence.key" } }),
    "windowsPools.win1.files[0].contentFrom.secretFile: the key secretFiles, which has the contents, is missing",
    { secretFiles, ...win1({ path, contentFrom: { secretFile: "licence.key" } }) },
  ],
  [
    "a secret content of another name",
    { secretFiles, ...win1({ path, contentFrom: { secretFile: "other.key" } }) },
    "windowsPools.win1.files[0].contentFrom.secretFile: secretFiles has no content other.key",
    { secretFiles: "other.key: abc", ...win1({ path, contentFrom: { secretFile: "other.key" } }) },
  ],
  [
    "secret contents that are no mapping",
    { secretFiles: "hello" },
    "secretFiles: not a mapping of names to texts (the value is a secret and is not shown)",
    { secretFiles },
  ],
  [
    "secret contents that are no texts",
    { secretFiles: "a: { b: c }" },
    "secretFiles: not a mapping of names to texts (the value is a secret and is not shown)",
    { secretFiles },
  ],
];
