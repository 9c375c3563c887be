import { builtInPolicy } from "capz-windows-platform/audit/builtInPolicy";
import { unlogged } from "capz-windows-platform/audit/unlogged";

/** Who is not in the log of the API server by an audit policy. */

const everything = [
  "anyone who reads a Secret, lists Secrets, changes a Secret, makes a Pod, runs a command in a Pod, changes a Deployment, gives a role, gives a role of the cluster",
];
const metadata = { level: "Metadata" };
const none = (more: object = {}) => ({ level: "None", ...more });
const core = (...resources: readonly string[]) => [{ group: "", resources }];

it.each<[string, rules: readonly object[], hidden: readonly string[], more?: object]>([
  ["that logs everything", [metadata], []],
  ["without rules", [], everything],
  ["that logs nothing", [none()], everything],
  [
    "that logs nothing of whoever logs in",
    [none({ userGroups: ["system:authenticated"] }), metadata],
    everything,
  ],
  [
    "that leaves out both stages",
    [{ ...metadata, omitStages: ["ResponseComplete"] }],
    everything,
    {
      omitStages: ["RequestReceived"],
    },
  ],
  ["that leaves out one stage", [metadata], [], { omitStages: ["RequestReceived"] }],
  [
    "that logs Secrets alone",
    [{ ...metadata, resources: core("secrets") }],
    [
      "anyone who makes a Pod, runs a command in a Pod, changes a Deployment, gives a role, gives a role of the cluster",
    ],
  ],
  [
    "that leaves out reads",
    [none({ verbs: ["get", "list"] }), metadata],
    ["anyone who reads a Secret, lists Secrets, runs a command in a Pod"],
  ],
  ["that leaves out watches", [none({ verbs: ["watch"] }), metadata], ["anyone who lists Secrets"]],
  [
    "that leaves out Secrets with their subresources",
    [none({ resources: core("secrets/*") }), metadata],
    ["anyone who reads a Secret, lists Secrets, changes a Secret"],
  ],
  ...["pods/exec", "pods/*", "*/exec"].map((name): [string, object[], string[]] => [
    `that leaves out ${name}`,
    [none({ resources: core(name), verbs: name === "pods/*" ? [] : ["create"] }), metadata],
    [`anyone who ${name === "pods/*" ? "makes a Pod, " : ""}runs a command in a Pod`],
  ]),
  [
    "that leaves out what is in no namespace",
    [none({ namespaces: [""] }), metadata],
    ["anyone who gives a role of the cluster"],
  ],
  [
    "that leaves out all of a group",
    [none({ resources: [{ group: "apps" }] }), metadata],
    ["anyone who changes a Deployment"],
  ],
  [
    "that leaves out one Secret",
    [none({ resources: [{ group: "", resources: ["secrets"], resourceNames: ["a"] }] }), metadata],
    [],
  ],
  [
    "that leaves out a namespace and probes",
    [none({ namespaces: ["kube-system"] }), none({ nonResourceURLs: ["/livez"] }), metadata],
    [],
  ],
  [
    "that leaves out what the cluster does",
    [none({ users: ["system:kube-proxy"], userGroups: ["system:nodes"] }), metadata],
    [],
  ],
  [
    "that leaves out a person",
    [none({ users: ["alice"], verbs: ["create"] }), metadata],
    ["alice, who makes a Pod, runs a command in a Pod, gives a role, gives a role of the cluster"],
  ],
  [
    "that leaves out a person of a group",
    [none({ users: ["alice"], userGroups: ["dev", "ops"], resources: core("pods") }), metadata],
    ["whoever of alice of dev, alice of ops makes a Pod"],
  ],
  [
    "that leaves out a person, and also as one of a group",
    [
      none({ users: ["alice"], resources: core("pods") }),
      none({ users: ["alice"], userGroups: ["dev"], resources: core("pods") }),
      metadata,
    ],
    ["alice, who makes a Pod"],
  ],
  [
    "that leaves out many",
    [
      none({ users: Array.from({ length: 2000 }, (_none, index) => `u${index}`), resources: core("pods") }),
      none({ userGroups: ["dev"], resources: core("secrets"), verbs: ["get"] }),
      metadata,
    ],
    ["whoever of u0, u1, u2, u3, u4 and 1,995 others makes a Pod", "dev, who reads a Secret"],
  ],
  [
    "that leaves out administrators",
    [none({ userGroups: ["system:masters"] }), metadata],
    [everything[0]!.replace("anyone", "system:masters,")],
  ],
  ["that leaves out a person after the rule", [metadata, none({ users: ["alice"] })], []],
])("a policy %s", (_, rules, hidden, more = {}) => {
  expect(unlogged({ kind: "Policy", ...more, rules })).toEqual(hidden);
});

it("the program's own policy names people", () => {
  expect(unlogged(builtInPolicy("v1.36.5"))).toEqual([]);
});
