import type { Patient } from "../patient";

/**
 * A fault described from reports of users and from the sources of the controllers by an author who did not know the
 * doctor's rules. So it names no rule, but the words that the first cause and the remedy must have to be useful.
 */
export interface BlindFault {
  readonly name: string;
  /** Source of the text of the condition or event. */
  readonly source: string;
  readonly make: (patient: Patient) => unknown;
  /** Pattern of the first cause. The proof, which quotes the message, does not count. */
  readonly cause: RegExp;
  /** Pattern of at least one line of the remedy. */
  readonly remedy: RegExp;
}
