import { planSchema, planVersion } from "capz-windows-contract";
import { planJson } from "../../plan/model/planJson";
import { exampleStacks, furtherStacks, planOf } from "../support/plans";

it.each([...exampleStacks, ...furtherStacks])(
  "the schema names all that the plan of %s has",
  async (stack) => {
    const written = JSON.parse(JSON.stringify(planJson(await planOf(stack)))) as object;
    expect(written).toMatchObject({ version: planVersion, stack });
    expect(planSchema.parse(written)).toEqual(written);
  },
);
