import { compareStack } from "../../../plan/cli/compareStacks";
import type { PlanDocument } from "capz-windows-contract";

/** Types of a base of others may be called like what every object of JavaScript has. */

it.each(["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"])(
  "a resource of the type %s",
  (type) => {
    const urn = `urn:pulumi:dev::p::${type}::a`;
    const side = (value: string): PlanDocument => ({
      ...{ version: 2, project: "p", stack: "dev", outputs: {}, warnings: [] },
      resources: [
        {
          urn,
          type,
          name: "a",
          custom: true,
          inputs: { list: [{ name: value }] },
          options: {},
          dependencies: [],
        },
      ],
    });
    const { changes } = compareStack("dev", "x", { document: side("a") }, { document: side("b") });
    expect(changes.map(({ kind }) => kind)).toEqual(["update"]);
  },
);
