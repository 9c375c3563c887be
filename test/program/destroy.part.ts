import type { RegisteredResource } from "pulumi-plan-engine";
import { applyOrder, indexByUrn } from "../../plan/model/order";
import type { Plan } from "../../plan/model/plan";
import { isAzure } from "../../plan/model/resourceTypes";
import { exampleStacks, planOf } from "../support/plans";

/** Azure, as far as it matters here: nothing can be made twice, and what is inside of something is deleted with it. */
class Azure {
  readonly ids = new Set<string>();

  create(id: string): void {
    if (this.ids.has(id)) {
      // The provider azure-native looks before it creates.
      throw new Error(`cannot create already existing resource '${id}'`);
    }
    this.ids.add(id);
  }

  delete(id: string): void {
    if (!this.ids.has(id)) {
      throw new Error(`${id} is deleted after what contains it`);
    }
    [...this.ids]
      .filter((other) => `${other}/`.startsWith(`${id}/`))
      .forEach((other) => this.ids.delete(other));
  }
}

const custom = ({ update }: Plan): RegisteredResource[] => update.resources.filter((each) => each.custom);

function deploy(plan: Plan, azure: Azure): void {
  const byUrn = indexByUrn(custom(plan));
  for (const { urn } of applyOrder(plan.resources)) {
    const { type = "", id = "" } = byUrn.get(urn) ?? {};
    if (isAzure(type)) {
      azure.create(id);
    }
  }
}

/** What the engine counts as dependencies of a resource: State.GetAllDependencies in sdk/go/common/resource (v3.274). */
const dependenciesOf = ({ parent, provider, dependencies, options }: RegisteredResource): string[] =>
  [parent, provider?.urn, options.deletedWith, ...(options.replaceWith ?? []), ...dependencies].filter(
    (urn) => urn !== undefined,
  );

/**
 * What `pulumi destroy` deletes at the same time, in order (v3.259): ScheduleDeletes in pkg/resource/deploy/step_generator.go
 * with DependenciesOf in pkg/resource/graph.
 */
function deleteRounds({ update }: Plan): RegisteredResource[][] {
  const byUrn = indexByUrn(update.resources);
  const condemned = new Set(update.resources);
  const rounds: RegisteredResource[][] = [];
  while (condemned.size > 0) {
    const round = [...condemned].filter((each) =>
      dependenciesOf(each)
        .flatMap((urn) => byUrn.get(urn) ?? [])
        .every((before) => !condemned.has(before)),
    );
    round.forEach((each) => condemned.delete(each));
    rounds.push(round);
  }
  return rounds.reverse();
}

/** The delete calls in order, by DeleteStep.Apply in pkg/resource/deploy/step.go. `protect` is taken away before. */
function deleteCalls(plan: Plan): RegisteredResource[] {
  const byUrn = indexByUrn(plan.update.resources);
  return deleteRounds(plan)
    .flat()
    .filter(
      ({ custom: made, options: { retainOnDelete, deletedWith = "" } }) =>
        made && retainOnDelete !== true && !byUrn.has(deletedWith),
    );
}

/** A resource, and all that the engine keeps when its deletion is refused (performPostSteps in deployment_executor.go). */
function keptWith(resource: RegisteredResource, { update }: Plan): Set<RegisteredResource> {
  const byUrn = indexByUrn(update.resources);
  const kept = new Set<RegisteredResource>();
  const keep = (each: RegisteredResource): void => {
    if (!kept.has(each)) {
      kept.add(each);
      dependenciesOf(each)
        .flatMap((urn) => byUrn.get(urn) ?? [])
        .forEach(keep);
    }
  };
  keep(resource);
  return kept;
}

describe.each(exampleStacks)("the stack %s", (stack) => {
  it("leaves nothing in Azure when it is destroyed, and can be deployed again", async () => {
    const plan = await planOf(stack);
    const azure = new Azure();
    deploy(plan, azure);
    expect(azure.ids.size).toBeGreaterThan(9);
    for (const { type, id = "" } of deleteCalls(plan)) {
      if (isAzure(type)) {
        azure.delete(id);
      }
    }
    expect([...azure.ids]).toEqual([]);
    deploy(plan, azure);
  });

  it("is refused as a whole while it is protected", async () => {
    const plan = await planOf(stack);
    const { resources } = plan.update;
    const [[first, ...others] = []] = deleteRounds(plan);
    expect(others).toEqual([]);
    expect(first!.options.protect === true).toBe(resources.some(({ options }) => options.protect === true));
    const kept = keptWith(first!, plan);
    // A component without children is nothing but an entry of the state.
    const lost = resources.filter((each) => each.custom && !kept.has(each));
    expect(lost.map(({ urn }) => urn)).toEqual([]);
  });

  it("is destroyed from the Cluster down to what its controllers need", async () => {
    const names = deleteCalls(await planOf(stack)).map(({ name }) => name);
    const cluster = names.indexOf("cluster-cluster");
    const after = names.filter((name) => /^(cluster-api-identity|network|management)-/.test(name));
    expect(after.length).toBeGreaterThan(9);
    expect(after.filter((name) => names.indexOf(name) < cluster)).toEqual([]);
  });
});
