import { encryptionFileName, encryptionPath, refusedStep } from "capz-windows-platform/encryption/keys";
import { stageBetween } from "capz-windows-platform/encryption/stages";
import { refusedChanges } from "capz-windows-platform/cluster/refusedChanges";

/** Which changes of the keys can be made in one step, and what a step is. */

const list = (keys: string, resources = "secrets") =>
  keys === "" ? undefined : { resources: resources.split(" "), keys: keys.split(" ") };

const way = (keys: string, resources = "") =>
  `encryption: {${resources}keys: [${keys.split(" ").join(", ")}]}`;
const lost = (kind: string, key: string, first: string) =>
  `${kind} in etcd are encrypted with the key ${key}, and no API server would have it any more. First deploy ${first}, and go on as docs/operations.md says ("Encryption at rest")`;
const unreadable = (kind: string, key: string, first: string) =>
  `while the control plane rolls, API servers that do not have the key ${key} yet could not read ${kind} that others write with it. First deploy ${first}. When every machine of the control plane has been replaced, deploy this change`;

it.each([
  [
    "",
    "identity a",
    "Encryption at rest, first stage: the API servers learn to read with a, and write secrets in clear text as before",
  ],
  ["identity a", "a", "Encryption at rest, second stage: secrets are written with the key a"],
  [
    "a",
    "a b",
    "Encryption at rest, first stage: the API servers learn to read with b, and write secrets with the key a as before",
  ],
  ["a b", "b a", "Encryption at rest, second stage: secrets are written with the key b"],
  ["b a", "b", "Encryption at rest, last stage: a is no longer read"],
  [
    "b",
    "identity b",
    "Encryption at rest, stage before its end: secrets are written in clear text again, and read with b",
  ],
  ["identity b", "", "Encryption at rest, last stage: b is no longer read"],
])("from [%s] to [%s] is one step", (from, to, what) => {
  expect(refusedStep(list(from), list(to))).toBeUndefined();
  expect(stageBetween(list(from), list(to))?.what).toBe(what);
});

it.each([
  ["", "a", unreadable("secrets", "a", way("identity a"))],
  ["a", "", lost("secrets", "a", way("identity a"))],
  ["a b", "", lost("secrets", "a", way("identity a b"))],
  ["a", "b", lost("secrets", "a", way("a b"))],
  ["a", "b a", unreadable("secrets", "b", way("a b"))],
  ["a b", "b", lost("secrets", "a", way("b a"))],
  ["identity a", "b a", unreadable("secrets", "b", way("identity a b").replace("a, b", "b, a"))],
])("from [%s] to [%s] is refused, with the way", (from, to, why) => {
  expect(refusedStep(list(from), list(to))).toBe(why);
});

const kinds = "secrets configmaps";
const both = "resources: [secrets, configmaps], ";

it("kinds come and go by a list that writes clear text", () => {
  expect(refusedStep(list("a"), list("a", kinds))).toBe(
    unreadable("configmaps", "a", way("identity a", both)),
  );
  expect(refusedStep(list("a"), list("identity a", kinds))).toBeUndefined();
  expect(refusedStep(list("identity a", kinds), list("a", kinds))).toBeUndefined();
  expect(refusedStep(list("a", kinds), list("a"))).toBe(lost("configmaps", "a", way("identity a", both)));
  expect(refusedStep(list("a", kinds), list("identity a", kinds))).toBeUndefined();
  expect(refusedStep(list("identity a", kinds), list("a"))).toBeUndefined();
});

it("following the way gets everywhere from everywhere", () => {
  const keys = ["", "a", "b", "a b", "b a", "identity a", "identity b", "identity a b"];
  const states = keys.flatMap((one) => [list(one), list(one, kinds)]);
  const next = (why: string) => {
    const [, resources = "secrets", names = ""] =
      /First deploy encryption: \{(?:resources: \[([^\]]*)\], )?keys: \[([^\]]*)\]\}/.exec(why) ?? [];
    return list(names.replaceAll(",", ""), resources.replaceAll(",", ""));
  };
  for (const from of states) {
    for (const to of states) {
      let at = from;
      let steps = 0;
      for (let goal = to; JSON.stringify(at) !== JSON.stringify(to); steps += 1) {
        expect({ from, to, steps: steps < 12 }).toEqual({ from, to, steps: true });
        const why = refusedStep(at, goal);
        if (why === undefined) {
          [at, goal] = [goal, to];
        } else {
          goal = next(why);
        }
      }
    }
  }
});

const controlPlane = (keys: string) => ({
  kind: "KubeadmControlPlane",
  spec: {
    kubeadmConfigSpec: {
      files: [
        { path: "/etc/kubernetes/azure.json" },
        ...(keys === ""
          ? []
          : [
              {
                path: encryptionPath,
                contentFrom: { secret: { name: "s", key: encryptionFileName(list(keys)!) } },
              },
            ]),
      ],
    },
  },
});

it("`pulumi up` refuses the same, by the KubeadmControlPlane alone", () => {
  expect(refusedChanges(controlPlane("a b"), controlPlane("a"))).toEqual([]);
  expect(refusedChanges(controlPlane("a b"), controlPlane(""))).toEqual([
    `controlPlane.encryption from secrets: a, b to nothing: ${lost("secrets", "a", way("identity a b"))}`,
  ]);
  expect(refusedChanges(controlPlane(""), controlPlane("a"))).toEqual([
    `controlPlane.encryption from nothing to secrets: a: ${unreadable("secrets", "a", way("identity a"))}`,
  ]);
});

describe("keys in Key Vault", () => {
  const id = (key: string, group = "keys") =>
    `/subscriptions/s/resourceGroups/${group}/providers/Microsoft.KeyVault/vaults/own/keys/${key}/versions/${"0f".repeat(16)}`;
  const vault = (keys: string, keyVaultKeys: Readonly<Record<string, string>>) => ({
    ...list(keys)!,
    keyVaultKeys,
  });
  const v = { v: id("etcd") };
  const line = (keys: string) => `encryption: {keys: [${keys}], keyVaultKeys: {v: ${id("etcd")}}}`;

  it("come, change and go in the stages of other keys, with lines that have their IDs", () => {
    const steps = [
      list("a"),
      vault("a v", v),
      vault("v a", v),
      vault("v", v),
      vault("v w", { ...v, w: id("etcd2") }),
      vault("w v", { ...v, w: id("etcd2") }),
      vault("w", { w: id("etcd2") }),
    ];
    expect(steps.slice(1).map((after, index) => refusedStep(steps[index], after))).toEqual(
      Array(6).fill(undefined),
    );
    expect(stageBetween(steps[0], steps[1])).toEqual({
      what: "Encryption at rest, first stage: the API servers learn to read with v, and write secrets with the key a as before",
      why: "API servers with the former and with the new list run side by side while the control plane rolls",
      instead: `when every machine of the control plane is replaced, set ${line("v, a")}`,
    });
    expect(stageBetween(steps[1], steps[2])?.instead).toBe(
      `when every machine of the control plane is replaced, rewrite all secrets, and then set ${line("v")}`,
    );
    expect(refusedStep(list("a"), vault("v", v))).toBe(lost("secrets", "a", line("a, v")));
    expect(refusedStep(vault("v", v), list("a"))).toBe(lost("secrets", "v", line("v, a")));
  });

  it.each([
    ["another version", vault("v", v), vault("v", { v: id("etcd").replace(/0f$/, "00") })],
    ["a key of the program", vault("v a", v), list("v a")],
    ["a key of the program before", list("v"), vault("v", v)],
  ])("a name that would stand for %s is refused", (_, from, to) => {
    expect(refusedStep(from, to)).toBe(
      "the name v would stand for another key, and what is encrypted with the former one could not be read. Keep it, and give the new key a name that the list does not have",
    );
  });

  it("a vault in another group or in capitals has the same key", () => {
    const moved = { v: id("etcd", "other").replace("/own/", "/Own/") };
    expect(refusedStep(vault("v", v), vault("v", moved))).toBeUndefined();
  });
});
