import { withInput } from "../../../support/planDocuments";
import type { Case } from "../plans";

const pools = { from: "pools", to: "otherPools" } as const;

/** One case per rule. test/plan/impact/pools.test.ts has the others. */
export const poolCases: readonly Case[] = [
  {
    rule: "deployment-in-place",
    severity: "changes",
    from: "machines",
    to: "machines",
    edit: (document) =>
      withInput(document, "pool-one-pool", ["spec", "template", "spec", "minReadySeconds"], 30),
    what: "Windows pool one: minReadySeconds of its machines change, and nothing rolls",
  },
  {
    ...pools,
    rule: "pool-shares-scale-set",
    severity: "destroys",
    nodes: 3,
    what: "Windows pool backends-blue has the scale set of pool frontend-blue, win--blue, and loses it when that pool is deleted",
    instead: "stays different when shortened",
  },
  {
    ...pools,
    rule: "pool-same-image",
    severity: "metadata",
    what: "Windows pool same names the same image in another form",
  },
  {
    ...pools,
    rule: "pool-autoscaler-begins",
    severity: "rolls",
    nodes: 2,
    what: "Windows pool begins is autoscaled from now on, from 1 to 2 nodes, and goes from 4 to 2 nodes at once",
    instead: "a range that contains 4",
  },
  {
    rule: "pool-renamed",
    severity: "destroys",
    to: "renamedPool",
    nodes: 3,
    what: "Windows pool win1 is renamed: win1 → web; 3 nodes and their disks are lost, and as many new ones are created",
    instead: "add the pool with its new name first",
  },
];
