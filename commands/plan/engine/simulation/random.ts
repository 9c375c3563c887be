import { digest, guid } from "./simulatedValues";
import type { Plain, SimulatedResource } from "./types";

/** The provider `random`, with values derived from the URN, so that two plans are equal. */

export const isRandom = (type: string): boolean => type.startsWith("random:");

const letters = (seed: string, length: unknown): string => {
  const wanted = typeof length === "number" ? length : 16;
  let found = "";
  for (let round = 0; found.length < wanted; round++) {
    found += digest(`${seed} ${round}`);
  }
  return found.slice(0, wanted);
};

/** What the provider makes up: texts and numbers. */
type Made = Readonly<Record<string, string | number>>;

export function randomOutputs(inputs: Plain, { type, urn }: SimulatedResource): Made {
  switch (type.split(":").at(-1)) {
    case "RandomPassword":
    case "RandomString":
      return { result: letters(urn, inputs.length) };
    case "RandomUuid":
      return { result: guid(urn) };
    case "RandomInteger": {
      const [min, max] = [Number(inputs.min), Number(inputs.max)];
      return { result: min + (Number.parseInt(digest(urn).slice(0, 8), 16) % (max - min + 1)) };
    }
    case "RandomId": {
      const bytes = Buffer.from(letters(urn, 2 * Number(inputs.byteLength)), "hex");
      return {
        hex: bytes.toString("hex"),
        b64Url: bytes.toString("base64url"),
        b64Std: bytes.toString("base64"),
        dec: BigInt(`0x${bytes.toString("hex")}`).toString(),
      };
    }
    default:
      return {};
  }
}

/** The provider uses results as ids, but never a password. */
export function randomId(inputs: Plain, resource: SimulatedResource): string {
  const { result, b64Url } = randomOutputs(inputs, resource);
  switch (resource.type.split(":").at(-1)) {
    case "RandomPassword":
      return "none";
    case "RandomPet":
      return `simulated-${digest(resource.urn).slice(0, 8)}`;
    case "RandomId":
      return String(b64Url);
    default:
      return result === undefined ? guid(resource.urn) : String(result);
  }
}
