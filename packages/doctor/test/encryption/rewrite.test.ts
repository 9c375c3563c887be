import { rewrite } from "capz-windows-doctor/encryption/rewrite";
import type { Send } from "capz-windows-doctor/cluster/connect";

/** What the command says of an object that the API server does not take. */

const secret = { metadata: { namespace: "a", name: "s", uid: "u", resourceVersion: "1" } };
const answer = (status: number, body: object) => Promise.resolve({ status, body, text: "", bytes: 1 });

/** A server that refuses each object in these words. */
const refusing =
  (status: number, message: string): Send =>
  (_path, { method }) =>
    method === "PUT"
      ? answer(status, { kind: "Status", message })
      : answer(200, { kind: "SecretList", apiVersion: "v1", metadata: {}, items: [secret] });

it.each([
  [
    403,
    `secrets "s" is forbidden: ValidatingAdmissionPolicy 'strong' with binding 'strong' denied request: the value UExBTlRFRA== is too weak`,
    "HTTP 403 by ValidatingAdmissionPolicy 'strong'",
  ],
  [
    400,
    'admission webhook "check.example.com" denied the request: data.note is PLANTED',
    'HTTP 400 by admission webhook "check.example.com"',
  ],
  [422, 'Secret "s" is invalid: data: Invalid value: "PLANTED"', "HTTP 422"],
])("a refusal is told without words that may quote the object: %i %s", async (status, said, message) => {
  const { failed } = await rewrite(refusing(status, said), "secrets");
  expect(failed).toEqual([{ name: "a/s", message }]);
});
