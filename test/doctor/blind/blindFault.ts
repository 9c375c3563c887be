import type { Patient } from "../patient";

/**
 * A fault that somebody wrote down from reports of users and from the sources of the controllers, without knowing the
 * doctor's rules. So it names no rule: it says which words the first cause and the remedy must have to be of use.
 */
export interface BlindFault {
  readonly name: string;
  /** Where the text of the condition or event was read. */
  readonly source: string;
  readonly make: (patient: Patient) => unknown;
  /** What the sentence about the first cause must say; the proof, which quotes the message, does not count. */
  readonly cause: RegExp;
  /** What at least one line of the remedy must say. */
  readonly remedy: RegExp;
}
