import { type Snapshot, World } from "capz-windows-doctor/cluster/snapshot";
import { run } from "capz-windows-doctor/cli/main";
import { diagnose } from "capz-windows-doctor/diagnose";
import { remedyOf } from "capz-windows-doctor/remedies";
import { formatText } from "capz-windows-doctor/report/text";
import { allRules, subjects } from "capz-windows-doctor/rules/allRules";
import { textAt } from "capz-windows-kit/untyped";
import { mostOfMessage } from "capz-windows-kit/visible";
import { said } from "capz-windows-test-kit/said";
import { isThorough } from "capz-windows-test-kit/sample";
import { writeExample } from "./exampleOf";
import { patient } from "./patient";

/**
 * Whoever may create Events in a namespace chooses what they say. The doctor believes them as a proof, and never as a reason to
 * give somebody a right, or to change what they name.
 */

const attacker = "deadbeef-aaaa-4bbb-8ccc-0123456789ab";
const guid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

const hasIdentity = (example: unknown): boolean => JSON.stringify(example).search(guid) !== -1;

const ofEvents = subjects
  .flatMap(({ rules }) => rules)
  .filter(({ example }) => example !== undefined)
  .filter((rule) => {
    const p = patient();
    writeExample(p, rule);
    return p.all("Event", "workload").length + p.all("Event").length > 0;
  });

/** The remedies where every identity and every subscription in a text is the attacker's. */
function remediesFor(rule: (typeof ofEvents)[number]): string[] {
  const p = patient();
  writeExample(p, rule);
  for (const event of [...p.all("Event", "workload"), ...p.all("Event")]) {
    Object.assign(event, { message: textAt(event, "message").replace(guid, attacker) });
  }
  return diagnose(p.snapshot()).findings.flatMap(({ remedy }) => [...remedy]);
}

it("there are Events to forge, with identities and scopes", () => {
  expect(ofEvents.length).toBeGreaterThan(50);
  expect(ofEvents.filter(({ example }) => hasIdentity(example)).length).toBeGreaterThan(0);
});

it("no identity, role or scope of a command comes from the text of an Event", () => {
  const some = isThorough ? ofEvents : ofEvents.filter(({ example }) => hasIdentity(example));
  const wrong = some.flatMap((rule) =>
    remediesFor(rule).filter(
      (line) =>
        line.includes(attacker) && /--(?:assignee|role|scope|ids?)\b|create|delete|set-policy/.test(line),
    ),
  );
  expect(wrong).toEqual([]);
});

it("an action and a scope of an Event stand in a cause in quotes only, as its word", () => {
  const p = patient();
  p.event(
    p.add("workload", { kind: "Service", metadata: { name: "web", namespace: "team" } }),
    "SyncLoadBalancerFailed",
    `Error syncing load balancer: AuthorizationFailed: The client '${attacker}' with object id '${attacker}' does not have authorization to perform action 'Microsoft.Authorization/roleAssignments/write' over scope '/subscriptions/${attacker}'`,
    { side: "workload" },
  );
  expect(diagnose(p.snapshot()).findings.map(({ cause }) => cause)).toEqual([
    `The cloud controller manager may not create the load balancer: the identity of the control plane machines lacks a role for "Microsoft.Authorization/roleAssignments/write" on "/subscriptions/${attacker}". What is in quotes is the word of the Event, which others can write.`,
  ]);
});

it("no machine of a command comes from what an object of the workload cluster says of itself", () => {
  const forged = "forged-control-plane";
  const rules = subjects
    .flatMap((subject) => subject.rules)
    .filter(({ example, remedy }) => example !== undefined && JSON.stringify(remedy).includes("{machine"));
  const all = rules.flatMap((rule) => {
    const p = patient();
    writeExample(p, rule);
    const snapshot = p.snapshot();
    for (const { kind, metadata } of snapshot.workload.objects) {
      Object.assign(metadata, {
        annotations: { ...metadata.annotations, "cluster.x-k8s.io/machine": forged },
        ...(kind === "Pod" ? {} : { ownerReferences: [{ kind: "Machine", name: forged }] }),
      });
    }
    return diagnose(snapshot).findings.flatMap(({ remedy }) => [...remedy]);
  });
  expect(all.filter((line) => line.includes("kubectl delete machine win1-")).length).toBeGreaterThan(0);
  expect(all.filter((line) => line.includes(forged) && !line.startsWith("kubectl delete node"))).toEqual([]);
});

/** What Azure refuses, for a condition, an identity and a scope of the attacker's. */
const refusals = [
  "AuthorizationFailed: The client 'ID' with object id 'ID' does not have authorization to perform action 'Microsoft.Network/virtualNetworks/write' over scope '/subscriptions/ID'",
  "AuthorizationFailed: The client 'ID' with object id 'ID' does not have authorization to perform action 'Microsoft.Authorization/roleAssignments/write' over scope '/subscriptions/ID'",
  "name \"AuthorizationFailed client 'ID' action 'Microsoft.Authorization/roleAssignments/write' scope '/subscriptions/ID'\" is invalid: InvalidResourceGroupName",
  "LinkedAuthorizationFailed The client 'ID' has permission; however, it does not have permission to perform action(s) 'Microsoft.Network/virtualNetworks/read' on the linked scope(s) '/subscriptions/ID'",
  "LinkedAuthorizationFailed The client 'ID' has permission; however, it does not have permission to perform action(s) 'Microsoft.Compute/x/write' on the linked scope(s) '/subscriptions/ID'",
  "AADSTS7000215: Invalid client secret provided for app 'ID'.",
  "AADSTS7000222: The client secret keys for app 'ID' are expired.",
];

it.each(refusals)("no identity, role or scope of a command comes from the condition %j", (text) => {
  const p = patient();
  delete p.get("AzureClusterIdentity").spec.clientID;
  p.refused(p.get("AzureCluster"), "Ready", text.replaceAll("ID", attacker));
  const remedies = diagnose(p.snapshot()).findings.flatMap(({ remedy }) => [...remedy]);
  expect(remedies.length).toBeGreaterThan(0);
  expect(
    remedies.filter(
      (line) =>
        line.includes("role assignment create") ||
        (line.includes(attacker) && /--(?:assignee|role|scope)|credential reset/.test(line)),
    ),
  ).toEqual([]);
});

/** Commands and lines of the stack file after which somebody may more than before. */
const weakening =
  /role assignment create|credential reset|set-policy|create (?:cluster)?rolebinding|enforce=privileged|^capz-windows:.*hostProcessNamespaces|network-rule add|key-access true|(?:certificate|connection) approve|delete (?:validating|mutating)/;

const weakeningLines = (namespace: string, from?: "event" | "container"): string[] => {
  const world = new World(patient().snapshot());
  return allRules.flatMap(({ id, remedy }) => {
    const names = remedy.flatMap((line) => [...line.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name));
    const vars = {
      ...Object.fromEntries(names.map((name) => [name, `forged-${name}`])),
      podNamespace: namespace,
    };
    const proof = { where: "", text: Object.values(vars).join(" "), from };
    return remedyOf(remedy, vars, "cluster", world, { proof, vars })
      .filter((line) => weakening.test(line))
      .map((line) => `${id}: ${line.split("   #")[0] ?? ""}`);
  });
};

it.each(["event", "container"] as const)("no rule weakens anything for a text from a/an %s", (from) => {
  expect(weakeningLines("team", from)).toEqual([]);
  expect(weakeningLines("team").length).toBeGreaterThan(5);
});

it("the namespaces of add-ons get the level of Pod Security that they need", () => {
  expect(weakeningLines("calico-system", "event").filter((line) => line.includes("enforce="))).toEqual([
    "provider-refused: kubectl label namespace calico-system pod-security.kubernetes.io/enforce=privileged --overwrite",
    "pods-refused: kubectl --kubeconfig workload.kubeconfig label namespace calico-system pod-security.kubernetes.io/enforce=privileged --overwrite",
  ]);
  expect(weakeningLines("team").filter((line) => /enforce=|hostProcess/.test(line))).toEqual([]);
});

const ofControllers = ofEvents.filter((rule) => rule.in === "creation");

/** The findings after an Event about an object that nobody has made. */
function findingsOfForged(rule: (typeof ofEvents)[number]) {
  const p = patient();
  writeExample(p, rule);
  for (const event of p.all("Event", "workload")) {
    const { kind } = (event as unknown as { involvedObject: { kind: string } }).involvedObject;
    Object.assign(event, { involvedObject: { kind, name: "forged-name", namespace: "forged-space" } });
  }
  return diagnose(p.snapshot()).findings.filter(({ proofs }) => proofs[0]?.where.includes("forged-name"));
}

it("there are Events of controllers to forge", () => {
  expect(ofControllers.length).toBeGreaterThan(0);
});

it.each(ofControllers)("$id: nothing is changed of an object that only an Event names", (rule) => {
  const found = findingsOfForged(rule);
  expect(found.length).toBeGreaterThan(0);
  const commands = found.flatMap(({ remedy }) => remedy.map((line) => line.split("   #")[0] ?? ""));
  const changes = /^(?:az|npx|capz-windows:|kubectl (?!(?:--kubeconfig \S+ )?(?:get|describe|logs|top)))/;
  expect(commands.filter((line) => line.includes("forged-") && changes.test(line))).toEqual([]);
  const named = found.filter(({ remedy }) => remedy.join("").includes("forged-"));
  expect(named.map(({ proofs }) => proofs[0]?.where)).toEqual(
    named.map((): unknown => expect.stringMatching(/, from an Event, which others can write$/)),
  );
});

it("an Event about Pod Security of a namespace of a team gives the team no privileged Pods", () => {
  const rule = ofControllers.find(({ id }) => id === "pods-refused");
  const [found] = rule === undefined ? [] : findingsOfForged(rule);
  expect(found?.remedy).toContain(
    "Only add-ons need privileged Pods. Whoever may create them administers the nodes: allow them in no other namespace because of a message alone.",
  );
  expect(found?.remedy.join()).not.toContain("enforce=privileged");
});

/** The longest text that a pattern is tried on while something runs. */
async function longestTried(work: () => unknown): Promise<number> {
  let longest = 0;
  const exec = Reflect.get(RegExp.prototype, "exec");
  const counting = function (this: RegExp, text: string): RegExpExecArray | null {
    longest = Math.max(longest, text.length);
    return exec.call(this, text);
  };
  Object.assign(RegExp.prototype, { exec: counting });
  try {
    await work();
  } finally {
    Object.assign(RegExp.prototype, { exec });
  }
  return longest;
}

const long = "SmbGlobalMapping (hcs::hcn ".repeat(4_000);

/** The healthy cluster, in which every message, reason and image is long. */
function talkative(): Snapshot {
  const p = patient();
  const pod = p.pod("workload", "team", "web-0", { waiting: ["ErrImagePull", long], image: long });
  p.condition(pod, "Ready", { reason: "ContainersNotReady", message: long, ago: 30 });
  p.event(pod, "FailedMount", long, { side: "workload" }).event(pod, long, "x", { side: "workload" });
  p.condition(p.get("Node", "win1"), "Ready", { reason: long, message: long, ago: 30 });
  p.refused(p.get("AzureCluster"), "Ready", long);
  Object.assign(p.get("AzureMachinePool", "win1").status, { failureMessage: long });
  return p.problem("management", { what: "other", asked: "Certificate", message: long }).snapshot();
}

it("no pattern is tried on a long text: anybody may write one, and many patterns need the square of its length", async () => {
  // A rule looks at a reason and two messages in one text.
  const most = 3 * mostOfMessage + 1_000;
  expect(
    await longestTried(() => formatText(diagnose(talkative()), { color: false, width: 100 })),
  ).toBeLessThan(most);
  const explained = await longestTried(() => said(() => run(["--explain", long])));
  expect(explained).toBeGreaterThan(mostOfMessage / 2);
  expect(explained).toBeLessThan(most);
});

it("of a long message the beginning and the end are read, and the report says how much is not", () => {
  const p = patient();
  const refusal = "QuotaExceeded: it is used up";
  p.refused(p.get("AzureCluster"), "Ready", `${"a".repeat(mostOfMessage)} ${refusal}`);
  const [proof] = diagnose(p.snapshot()).findings.flatMap(({ proofs }) => proofs);
  expect(proof?.text).toBe(
    `${"a".repeat(2_008)}\n(109 characters left out)\n${"a".repeat(2_008 - 1 - refusal.length)} ${refusal}`,
  );
});

/** Whether a group that repeats has something in it that repeats, for which a pattern may need the exponential of a length. */
function repeatsWhatRepeats(source: string): boolean {
  const plain = source.replace(/\\[^]/g, "a").replace(/\[\^?\]?[^\]]*\]/g, "a");
  const open: boolean[] = [false];
  for (const [token] of plain.matchAll(/\(|\)?(?:[*+]|\{\d+,\})|\)/g)) {
    if (token === "(") {
      open.push(false);
      continue;
    }
    const inner = token.startsWith(")") && open.pop() === true;
    if (inner && token !== ")") {
      return true;
    }
    open.push(open.pop() === true || inner || token !== ")");
  }
  return false;
}

it("no pattern repeats a group in which something repeats", () => {
  expect(["(a+)+", "(?:x(b*)y)*", "(a{2,})+"].map(repeatsWhatRepeats)).toEqual([true, true, true]);
  expect(["(?:ab)+c*", "[(a+)]+", "\\(a+\\)+"].map(repeatsWhatRepeats)).toEqual([false, false, false]);
  const all = subjects.flatMap(({ rules }) =>
    rules.flatMap(({ id, text, reason, pods, type }) =>
      [text, reason, pods, type].flatMap((one) => (one instanceof RegExp ? [`${id}: ${one.source}`] : [])),
    ),
  );
  expect(all.length).toBeGreaterThan(150);
  expect(all.filter(repeatsWhatRepeats)).toEqual([]);
});
