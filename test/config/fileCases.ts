import type { Case } from "./ruleCases";

const path = "C:/k/own.txt";
const win1 = (...files: object[]) => ({ windowsPools: { win1: { files } } });
const secretFiles = "licence.key: abc\n";
const secret = { name: "licences", key: "licence.key" };

export const fileCases: readonly Case[] = [
  [
    "a file without content",
    win1({ path }),
    "windowsPools.win1.files[0]",
    "the file has no content",
    win1({ path, content: "a" }),
  ],
  [
    "a file with two contents",
    win1({ path, content: "a", contentFrom: { secret } }),
    "windowsPools.win1.files[0]",
    "both content and contentFrom are set",
    win1({ path, contentFrom: { secret } }),
  ],
  [
    "a secret content from two places",
    { secretFiles, ...win1({ path, contentFrom: { secret, secretFile: "licence.key" } }) },
    "windowsPools.win1.files[0].contentFrom",
    "both secretFile and secret are set",
    { secretFiles, ...win1({ path, contentFrom: { secretFile: "licence.key" } }) },
  ],
  [
    "a secret content from nowhere",
    { secretFiles, ...win1({ path, contentFrom: {} }) },
    "windowsPools.win1.files[0].contentFrom",
    "neither secretFile nor secret is set",
    { secretFiles, ...win1({ path, contentFrom: { secretFile: "licence.key" } }) },
  ],
  [
    "a secret content without the key that has it",
    win1({ path, contentFrom: { secretFile: "licence.key" } }),
    "windowsPools.win1.files[0].contentFrom.secretFile",
    "the key secretFiles, which has the contents, is missing",
    { secretFiles, ...win1({ path, contentFrom: { secretFile: "licence.key" } }) },
  ],
  [
    "a secret content of another name",
    { secretFiles, ...win1({ path, contentFrom: { secretFile: "other.key" } }) },
    "windowsPools.win1.files[0].contentFrom.secretFile",
    "secretFiles has no content other.key",
    { secretFiles: "other.key: abc", ...win1({ path, contentFrom: { secretFile: "other.key" } }) },
  ],
  [
    "secret contents that are no mapping",
    { secretFiles: "hello" },
    "secretFiles",
    "not a mapping of names to texts (the value is a secret and is not shown)",
    { secretFiles },
  ],
  [
    "secret contents that are no texts",
    { secretFiles: "a: { b: c }" },
    "secretFiles",
    "not a mapping of names to texts (the value is a secret and is not shown)",
    { secretFiles },
  ],
];
