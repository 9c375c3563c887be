import { sentenceOf } from "capz-windows-doctor/remedies";
import { allRules, subjects } from "capz-windows-doctor/rules/allRules";
import { wideWrites } from "capz-windows-test-kit/wideWrites";

/** Rules are data, so their properties are checked like data. */

const special = ["*", "linux-pool", "refused-add-on", "same object"];
const known = new Set([...allRules.map(({ id }) => id), ...subjects.map(({ family }) => family), ...special]);
const inNamespace = /^pods in (?:\{where\}|[a-z-]+)$/;

it("every ID is unique, and every name that a rule follows exists", () => {
  const ids = allRules.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(
    allRules
      .flatMap(({ follows = [] }) => follows)
      .filter((name) => !known.has(name) && !inNamespace.test(name)),
  ).toEqual([]);
});

it("every rule has texts, a remedy and a source", () => {
  const bare = allRules.filter(
    ({ symptom, cause, remedy, source }) =>
      [symptom, cause, source].some((text) => text.length < 5) || remedy.length === 0,
  );
  expect(bare.map(({ id }) => id)).toEqual([]);
  expect(allRules.filter(({ cause }) => !/[.}]$/.test(cause)).map(({ id }) => id)).toEqual([]);
});

const objectVars = { name: "web", kind: "Pod", cluster: "sick", namespace: "sick", podNamespace: "shop" };

it.each(allRules.map(({ id, cause }) => [id, cause] as const))(
  "%s: its sentence is one, even when no value was found",
  (_, cause) => {
    const sentence = sentenceOf(cause, objectVars);
    expect(sentence).not.toMatch(
      /[{}]|not named|undefined| {2}| [.,;:)](?:\s|$)|\( |\b(\w+) the \1\b|\bthe the\b|^[a-z]+ing /,
    );
  },
);

it("a name that was not found is left out after its noun, and otherwise replaced by the noun", () => {
  expect(sentenceOf("{node} has the disk {disk}, and {registry} ({code}) of {newNode}: {why}.", {})).toBe(
    "The node has the disk, and the registry of the new node.",
  );
  expect(sentenceOf("{node} has the disk {disk}: {why}.", { node: "win1", disk: "d", why: "late" })).toBe(
    "win1 has the disk d: late.",
  );
});

it("a command that deletes, restarts or overwrites names what it changes: no selectors, -A, --all or wildcards", () => {
  expect(
    allRules.flatMap(({ id, remedy }) => remedy.flatMap(wideWrites).map((line) => `${id}: ${line}`)),
  ).toEqual([]);
});

it.each([
  "kubectl rollout restart deployment -n kyverno",
  "kubectl delete machine -n sick -l cluster.x-k8s.io/pool-name=win1   # those without a node",
  "kubectl --kubeconfig workload.kubeconfig delete pods -A --field-selector status.phase=Failed",
  "kubectl set resources deployment -n capz-system --all --limits=memory=1Gi",
  "npm run access -- prod   # log in; then: sudo crictl rmi --prune",
  "kubectl get pods -o name | xargs -n1 kubectl delete",
  "kubectl delete pods --all",
  "npx pulumi up --target '**AzureClusterIdentity**'",
])("such a command would be found: %s", (line) => {
  expect(wideWrites(line)).toHaveLength(1);
});
