/** @jest-environment node */
import * as pulumi from "@pulumi/pulumi";
import { adviseAfterErrors, webhookRetry } from "../../../components/childOptions";
import { errors, runFixture } from "../../plan/fixtures/engine/run";

/** The hooks of components, called as the engine would: the offline engine records hooks and runs none. */

const failure = (failedOperation: "create" | "update", ...messages: string[]) =>
  ({ failedOperation, errors: messages }) as unknown as pulumi.ErrorHookArgs;

/** Runs a function as a program. @returns what it returned */
async function inProgram<T>(mode: "preview" | "update", body: () => T | Promise<T>): Promise<T> {
  const results: T[] = [];
  const recording = await runFixture(async () => {
    results.push(await body());
  }, mode);
  expect(errors(recording)).toEqual([]);
  return results[0] as T;
}

/** A wait without an end, and without a timer that would keep this process running. */
const forever = new Promise<never>(() => undefined);
jest.mock("node:timers/promises", () => ({
  ...jest.requireActual<object>("node:timers/promises"),
  setTimeout: () => forever,
}));

describe("the retry while webhooks cannot be reached", () => {
  const unreachable = "failed calling webhook";
  /** After these 5 + 10 + 20 + 30 seconds, the patience of a preview is over and that of an `up` is not. */
  const fourTimes = failure("create", ...Array.from({ length: 4 }, () => unreachable));

  it.each([
    ["preview", "gives up"],
    ["update", "waits"],
  ] as const)("has the patience of a %s: %s", async (mode, expected) => {
    const answer = await inProgram(mode, async () => {
      const retried = webhookRetry("c").onError[0]!.callback(fourTimes);
      return Promise.race([
        Promise.resolve(retried).then((again) => (again ? "waits" : "gives up")),
        new Promise((resolve) => setImmediate(resolve)).then(() => "waits"),
      ]);
    });
    expect(answer).toBe(expected);
  });
});

/** What `adviseAfterErrors` makes of a resource with these options. */
function transformed(kind: "custom" | "component", opts: pulumi.CustomResourceOptions) {
  const registered = jest.spyOn(pulumi.runtime, "registerStackTransformation").mockReturnValue(undefined);
  adviseAfterErrors();
  const [transformation] = registered.mock.calls[0]!;
  const { prototype } = kind === "custom" ? pulumi.CustomResource : pulumi.ComponentResource;
  const resource = Object.create(prototype as object) as pulumi.Resource;
  return transformation({ resource, type: "t", name: "n", props: { a: 1 }, opts });
}

describe("the advice after errors of the program", () => {
  const exists = 'namespaces "dev" already exists';

  it("adds a hook, and leaves every other option as it is: set, or not set", async () => {
    const [none, some, component] = await inProgram("update", () => {
      const own = new pulumi.ErrorHook("own", () => false);
      const opts = { deleteBeforeReplace: true, protect: false, hooks: { onError: [own] } };
      const results = [transformed("custom", {}), transformed("custom", opts), transformed("component", {})];
      jest.restoreAllMocks();
      return results;
    });
    const added = expect.objectContaining({ name: "advice-after-kill" }) as unknown;
    const own = expect.objectContaining({ name: "own" }) as unknown;
    // toStrictEqual: `deleteBeforeReplace: false` would overrule a provider that must delete first.
    expect(none).toStrictEqual({ props: { a: 1 }, opts: { hooks: { onError: [added] } } });
    expect(some).toStrictEqual({
      props: { a: 1 },
      opts: { deleteBeforeReplace: true, protect: false, hooks: { onError: [own, added] } },
    });
    expect(component).toBeUndefined();
  });

  it.each([
    ["create", 1],
    ["update", 0],
  ] as const)(
    "takes what exists for the work of a killed run after a failed %s: %i",
    async (operation, times) => {
      const said = await inProgram("update", async () => {
        const log = jest.spyOn(pulumi.log, "error").mockResolvedValue(undefined);
        const [hook] = transformed("custom", {})!.opts.hooks!.onError!;
        expect(await hook!.callback(failure(operation, exists))).toBe(false);
        const texts = log.mock.calls.map(([text]) => text);
        jest.restoreAllMocks();
        return texts;
      });
      expect(said).toHaveLength(times);
      expect(said.join()).toContain(times === 0 ? "" : "npx pulumi up --stack test");
    },
  );
});
