import fc from "fast-check";
import { findingsOf } from "../../config/policy/findings";
import { policyIds } from "../../config/policy/policyIds";
import { loadSettings } from "../../config/load";
import { decodeConfig } from "../../config/parse";
import { projectConfig } from "../../config/stackFile";
import { exceptionText } from "../../tools/finding";
import { imagesInObjects } from "../../commands/plan/model/materials";
import type { Plan } from "../../commands/plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import { exampleStacks, planOf } from "../support/plans";
import { rightConfig } from "../support/rightConfigs";
import { sampleSize } from "../support/sample";
import { existing } from "../support/rightSubnets";
import { minimal, readExample } from "../support/stacks";
import { policyResource, violations } from "./packSupport";
import { access, aks, right, type Raw } from "./right";
import { wrong } from "./wrong";

/** The policy pack finds in what a program registers what the plan finds in its stack file. */

const today = "2026-11-25";
const seed = Number(process.env.CAPZ_WINDOWS_SEED ?? Date.now() % 2 ** 31);

/** What the plan finds, as the pack writes it. */
const planned = (raw: Raw, day = today, images: readonly string[] = []): string[] =>
  findingsOf(loadSettings(raw, "test"), decodeConfig(raw), day, images)
    .filter(({ id, accepted }) => policyIds.some((one) => one === id) && accepted === undefined)
    .map((finding) =>
      [
        `${finding.id} ${finding.path}: ${finding.message}`,
        ...[exceptionText(finding) ?? [], `Write: ${finding.write ?? ""}`].flat(),
      ].join(". "),
    )
    .sort();

/** Each once, whatever the resource is. */
const texts = (found: ReturnType<typeof violations>): string[] =>
  [...new Set(found.map(({ id, message }) => `${id} ${message}`))].sort();

describe.each(exampleStacks)("%s", (stack) => {
  const { config } = readExample(stack);
  const raw = projectConfig(config);

  it("has the same findings after an update", async () => {
    const { update, objects } = await planOf(stack);
    const resources = update.resources.map((one) => policyResource(one));
    expect(texts(violations(resources, { config }))).toEqual(planned(raw, today, imagesInObjects(objects)));
    // Whatever the stack file says: exceptions aside.
    expect(texts(violations(resources))).toEqual(planned({ ...raw, policyExceptions: "[]" }));
  });

  it("has the same findings in a first preview, by what is known", async () => {
    const { preview, objects } = await planOf(stack);
    const resources = preview.resources.map((one) => policyResource(one, "inputs"));
    expect(texts(violations(resources, { config }))).toEqual(planned(raw, today, imagesInObjects(objects)));
  });
});

const resourcesOf = ({ update }: Plan) => update.resources.map((one) => policyResource(one));

const updateOf = async (raw: Raw) => resourcesOf(await updateInline(raw));

it.each(policyIds)("%s is found in a stack that is wrong, as in its stack file", async (id) => {
  const [change, , day = today] = wrong[id];
  const raw = { ...right, ...change };
  const plan = await updateInline(raw);
  const { imageDigests, clusterApi } = raw as Raw;
  const config = Object.fromEntries(
    Object.entries({ imageDigests, clusterApi }).flatMap(([key, value]) =>
      value === undefined ? [] : [[`capz-windows:${key}`, JSON.stringify(value)]],
    ),
  );
  const found = violations(resourcesOf(plan), { today: day, config });
  expect(texts(found)).toEqual(planned(raw, day, imagesInObjects(plan.objects)));
  expect(texts(found).filter((text) => text.startsWith(`${id} `))).toHaveLength(1);
});

it.each([
  [{ access: { ...access, allowedCidrs: ["0.0.0.0/1", "128.0.0.0/1"] } }, "public-cluster"],
  [{ access: { ...access, allowedCidrs: ["128.0.0.0/2"] } }, "public-cluster"],
  [{ management: { ...aks, authorizedCidrs: ["0.0.0.0/0"] } }, "public-management-cluster"],
  [{ management: { ...aks, authorizedCidrs: ["0.0.0.0/1", "128.0.0.0/1"] } }, "public-management-cluster"],
])("networks as large as the Internet are the Internet: %j", async (change, id) => {
  const raw = { ...right, ...change };
  const plan = await updateInline(raw);
  expect(texts(violations(resourcesOf(plan)))).toEqual(planned(raw, today, imagesInObjects(plan.objects)));
  expect(planned(raw, today).map((text) => text.split(" ")[0])).toEqual([id]);
  const paths = plan.cluster.reach.filter(({ from }) => from === "others on the Internet");
  expect(paths.filter(({ wanted, state }) => wanted !== state)).toEqual([]);
});

it("an API server in a VNET of others is open to the Internet, whatever else may reach it", async () => {
  const { subscriptionId } = minimal().azure as { subscriptionId: string };
  const raw = {
    ...right,
    access: { ...access, allowedCidrs: ["203.0.113.0/24", "0.0.0.0/0"] },
    network: { existing: { ...existing(subscriptionId), poolSubnetIds: {} } },
  };
  const { resources } = (await updateInline(raw)).update;
  for (const sort of ["inputs", "outputs"] as const) {
    const found = texts(violations(resources.map((one) => policyResource(one, sort))));
    expect(found).toEqual(planned(raw));
    expect(found).toEqual([
      "public-cluster access.allowedCidrs: 0.0.0.0/0 exposes the API server and SSH on the control plane to the Internet. Write: allowedCidrs: [<your network as a CIDR>] # in access",
    ]);
  }
});

it("a stack that follows all policies has no findings", async () => {
  expect(violations(await updateOf(right))).toEqual([]);
});

it("no part of a finding is taken for a secret because a secret file has that key, too", async () => {
  const [change, finding] = wrong["secrets-in-audit-log"];
  const { warnings } = await updateInline({ ...right, ...change });
  expect(warnings.map(String)).toEqual([finding]);
});

/** What a resource does not tell: whether an option is that of its pool or of poolDefaults. */
const wherever = (found: readonly string[]): string[] =>
  [
    ...new Set(
      found.map((text) => text.replace(/(?:poolDefaults|(?:linux|windows)Pools\.[\w-]+)(?=\.)/g, "pool")),
    ),
  ].sort();

it("has the same findings for random stack files", async () => {
  for (const raw of fc.sample(rightConfig, { numRuns: sampleSize, seed })) {
    expect({ raw, found: wherever(texts(violations(await updateOf(raw)))) }).toEqual({
      raw,
      found: wherever(planned({ ...raw, policyExceptions: [] })),
    });
  }
});
