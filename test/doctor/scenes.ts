import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { take } from "./forms";
import type { Patient } from "./patient";

/**
 * Faults as data: what controllers write into a healthy cluster, and what the doctor must say of it first. Each file of
 * scenes/ has those of one family of commands/doctor/knowledge/. A paragraph is a fault: its name, after `#` the source of the
 * texts, its steps, and after `=` the rule, the scope in parentheses, a pattern of the cause, and `do` with one of a command,
 * each of which may be missing. A step is `FORM OBJECT WORDS OPTION=VALUE | MESSAGE`, where OBJECT is a kind, with a colon and
 * the beginning of a name where there are several; OBJECT,OBJECT are two:
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
 * and those of states.ts: pool-refused POOL STATUS CODE, first-refused STATUS CODE, failed-machine, not-joined,
 * not-initialized, unready NODE, upgraded POOL VERSION IMAGE-VERSION, upgraded control-plane VERSION, draining, left-node,
 * newer-pod OWNER | TOLERATIONS.
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

/** A paragraph of scenes/. */
function sceneOf(paragraph: string): Scene {
  const [name = "", ...lines] = paragraph.trimEnd().split("\n");
  const after = (mark: string): string | undefined => lines.find((line) => line.startsWith(mark))?.slice(2);
  const [, rule, scope, cause, remedy] =
    /^([a-z][a-z0-9-]*)?(?: ?\((.*?)\))?(?: ?(\/.*?\/\w*))?(?: ?do (\/.*\/\w*))?$/.exec(after("= ") ?? "") ??
    [];
  return {
    ...{ name, source: after("# "), rule, scope, cause: patternOf(cause), remedy: patternOf(remedy) },
    make: (p) => {
      lines
        .filter((line) => !/^[#=] /.test(line))
        .forEach((step) => {
          take(p, step);
        });
    },
  };
}

const dir = join(__dirname, "scenes");

export const scenes: readonly Scene[] = readdirSync(dir)
  .sort()
  .flatMap((file) => readFileSync(join(dir, file), "utf8").split("\n\n").map(sceneOf));

export const sceneNamed = (name: string): Scene => scenes.find((scene) => scene.name === name)!;
