import { awaitService } from "../../../components/privateLink/linkService";

const id =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test/providers/Microsoft.Network/privateLinkServices/test-apiserver";

/** Seconds that were waited while Azure answers this, the last one for ever, and how it ended. */
async function waitedFor(...answers: readonly (string | Error)[]): Promise<{ seconds: number; end: string }> {
  let [seconds, asked] = [0, 0];
  const end = await awaitService(
    id,
    () => {
      const answer = answers[Math.min(asked, answers.length - 1)]!;
      asked += 1;
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ provisioningState: answer });
    },
    (each) => Promise.resolve((seconds += each)),
  ).catch((error: unknown) => (error as Error).message);
  return { seconds, end };
}

describe("the private link service of a cluster that gets a private endpoint", () => {
  it("is awaited, whatever Azure says of one that is not there", async () => {
    const answers = [
      new Error("a text that no one has seen"),
      new Error(""),
      "Updating",
      "Failed",
      "Succeeded",
    ];
    expect(await waitedFor(...answers)).toEqual({ seconds: 20, end: id });
    expect(await waitedFor("Succeeded")).toEqual({ seconds: 0, end: id });
  });

  it.each([
    ["Failed", "Failed"],
    [new Error("ResourceNotFound"), "Error: ResourceNotFound"],
  ])("is given up after ten minutes, with the last answer: %s", async (answer, said) => {
    expect(await waitedFor(answer)).toEqual({
      seconds: 600,
      end: `CAPZ has not made the private link service test-apiserver in 10 minutes (${said}), so it has no private endpoint. \`npm run doctor\` says what Azure has refused: ${id}`,
    });
  });
});
