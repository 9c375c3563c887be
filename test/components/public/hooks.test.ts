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

describe("the advice after errors of the program", () => {
  const exists = 'namespaces "dev" already exists';

  it.each([
    ["create", 1],
    ["update", 0],
  ] as const)(
    "takes what exists for the work of a killed run after a failed %s: %i",
    async (operation, times) => {
      const said = await inProgram("update", async () => {
        const log = jest.spyOn(pulumi.log, "error").mockResolvedValue(undefined);
        const transforms = jest.spyOn(pulumi.runtime, "registerResourceTransform").mockReturnValue(undefined);
        adviseAfterErrors();
        const [transform] = transforms.mock.calls[0]!;
        const result = (await transform({ custom: true, type: "t", name: "n", props: {}, opts: {} }))!;
        const [hook] = result.opts.hooks!.onError!;
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
