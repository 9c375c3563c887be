import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { take } from "./forms";
import type { Patient } from "./patient";

/**
 * Faults as data: what controllers write into a healthy cluster, and what the doctor must say of it first. Each file of
 * scenes/ has those of one family of packages/doctor/knowledge/, several-objects.txt those of states.ts. A paragraph is a
 * fault: its name, after `#` the source of the texts, its steps, and after `=` the rule, the scope in parentheses, a pattern
 * of the cause, and `do` with one of a command, each of which may be missing. A step is
 * `FORM OBJECT WORDS OPTION=VALUE | MESSAGE`, where OBJECT is a kind, with a colon and the beginning of a name where there are
 * several; OBJECT,OBJECT are two:
 *
 *     condition OBJECT TYPE=STATUS REASON     severity, ago (minutes), former (among those of v1beta1)
 *     refused OBJECT CONDITION                reason, ago: how CAPZ marks an object that Azure refuses
 *     azure OBJECT CONDITION STATUS CODE      service: the same, with Azure's answer around the message
 *     event OBJECT REASON                     count, ago
 *     pod SIDE NAMESPACE/NAME                 waiting, ended, restarts, image, node, age; MESSAGE || BACK-OFF of one that ended
 *     app                                     the same for a Pod on a Windows node
 *     remove SIDE OBJECT OBJECT               all of a kind, or those whose names begin so
 *     problem SIDE | JSON                     what cannot be read
 *     add SIDE | JSON                         an object
 *     copy OBJECT NAME                        age (minutes): another one like it
 *     set OBJECT | JSON                       a merge patch of an object
 *     taint NODE | JSON                       the only taint of a node
 *     pending NAMESPACE/NAME KEY=VALUE        a Pod that waits for a node with these labels; `os`: of this system
 *     named NAME/NAMESPACE                    the cluster that the doctor is asked about
 *
 *     real NAMESPACE/NAME                     a Pod with all fields of an API server: node, owner (KIND/NAME), age, phase, image,
 *                                             restarts, `creating`; exit (code), reason, exited (minutes ago); MESSAGE of its end,
 *                                             or of the scheduler where it has no node
 *     real-event OBJECT REASON                count, ago, by, type
 *     service NAME | SPEC, cordon NODE, recovered OBJECT
 *     grown, scaling REPLICAS, instance NAME | STATUS: the pool win1 at the age of two months, and another instance
 *
 * and those of states.ts: pool-refused POOL STATUS CODE, first-refused STATUS CODE, failed-machine, not-joined,
 * not-initialized, unready NODE, upgraded POOL VERSION IMAGE-VERSION, upgraded control-plane VERSION, draining, left-node,
 * lacks-node.
 *
 * {5 minutes ago} is a time, \n a new line, and \\n a backslash before an n.
 */

/** A fault, by an author who did not know the rules or by the rule that must name it. */
export interface Scene {
  readonly name: string;
  readonly make: (patient: Patient) => unknown;
  /** Source of the text of the condition or event. */
  readonly source?: string | undefined;
  readonly rule?: string | undefined;
  /** The scope that the report must name. Default: not checked. */
  readonly scope?: string | undefined;
  /** Pattern of the first cause. The proof, which quotes the message, does not count. */
  readonly cause?: RegExp | undefined;
  /** Pattern of at least one line of the remedy. */
  readonly remedy?: RegExp | undefined;
}

function patternOf(text: string | undefined): RegExp | undefined {
  const [, source, flags] = /^\/([^]*)\/(\w*)$/.exec(text ?? "") ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}

interface Paragraph {
  readonly name: string;
  readonly lines: readonly string[];
  /** @param minutes - what M in the steps stands for */
  readonly make: (patient: Patient, minutes?: number) => void;
}

/** The paragraphs of a file: what each is called, and what it does. */
export const paragraphsOf = (file: string): readonly Paragraph[] =>
  readFileSync(join(__dirname, file), "utf8")
    .trimEnd()
    .split("\n\n")
    .map((paragraph) => {
      const [name = "", ...lines] = paragraph.split("\n");
      const make = (p: Patient, minutes = 0): void => {
        for (const step of lines.filter((line) => !/^[#="~!] /.test(line))) {
          if (step.startsWith("scene ")) {
            sceneNamed(step.slice(6)).make(p);
          } else {
            take(p, step.replace(/\bM\b/g, String(minutes)));
          }
        }
      };
      return { name, lines, make };
    });

const after = (lines: readonly string[], mark: string): string | undefined =>
  lines.find((line) => line.startsWith(mark))?.slice(2);

export const scenes: readonly Scene[] = readdirSync(join(__dirname, "scenes"))
  .sort()
  .flatMap((file) => paragraphsOf(`scenes/${file}`))
  .map(({ name, lines, make }) => {
    const [, rule, scope, cause, remedy] =
      /^([a-z][a-z0-9-]*)?(?: ?\((.*?)\))?(?: ?(\/.*?\/\w*))?(?: ?do (\/.*\/\w*))?$/.exec(
        after(lines, "= ") ?? "",
      ) ?? [];
    const source = after(lines, "# ");
    return { name, make, source, rule, scope, cause: patternOf(cause), remedy: patternOf(remedy) };
  });

export const sceneNamed = (name: string): Scene => scenes.find((scene) => scene.name === name)!;
