import { pathText, takeSteps, valueAt, type Path, type Step } from "../../config/steps";
import { exampleOf, nodeAt } from "../../config/jsonSchema";
import { aliasOf } from "../../config/suggest";
import { gpuSize, hasGpu, plainSize, vmTraits } from "capz-windows-platform/machines/vmSizes";
import { isRecord, type Plain } from "capz-windows-kit/untyped";
import type { Draft, LeftOut, Open } from "../../commands/import/findings";

/**
 * Carries mappings of other tools into a stack file, key by key. It uses the same table (config/aliases.ts) with which
 * suggestions are made for such keys in a stack file.
 */

/** Functions for keys that the table cannot translate; they return the steps to apply, or why the key is left out. */
export type OwnKeys = Readonly<Record<string, (value: unknown, at: Path) => Own>>;

type Own = { readonly set: readonly Step[]; readonly leftOut?: readonly LeftOut[] } | Omit<LeftOut, "from">;

/** Builds a draft step by step. */
export class Carrier {
  private readonly config: Plain = {};
  private readonly leftOut: LeftOut[] = [];
  private readonly open: Open[] = [];

  set(path: Path, value: unknown): void {
    takeSteps(this.config, [{ set: path, value }]);
  }

  leaveOut(from: string, why: string, instead?: string): void {
    this.leftOut.push({ from, why, instead });
  }

  /** Asks for what a mapping of the draft does not have. */
  ask(key: string, questions: (mapping: unknown) => readonly Open[]): void {
    this.open.push(...questions(this.config[key]));
  }

  /** Paths of the Windows pools that the draft has so far. */
  windowsPools(): Path[] {
    return Object.keys((this.config.windowsPools as Plain | undefined) ?? {}).map((name) => [
      "windowsPools",
      name,
    ]);
  }

  draft(): Draft {
    return { config: this.config, leftOut: this.leftOut, open: this.open };
  }

  /**
   * Carries the keys of a mapping of the source into the stack file.
   * @param from - path of the mapping in the source, for the report
   * @param at - path of the corresponding mapping in the stack file
   * @param own - functions for keys that the table cannot translate
   */
  carry(mapping: unknown, from: string, at: Path, own: OwnKeys = {}): void {
    for (const [key, value] of Object.entries(isRecord(mapping) ? mapping : {})) {
      if (!isEmpty(value)) {
        this.key(key, value, from === "" ? key : `${from}.${key}`, at, own);
      }
    }
  }

  private key(key: string, value: unknown, from: string, at: Path, own: OwnKeys): void {
    // Go reads the names of fields in any case.
    const name = Object.keys(own).find((one) => one.toLowerCase() === key.toLowerCase());
    const found = own[name ?? ""]?.(value, at);
    if (found !== undefined) {
      if ("set" in found) {
        takeSteps(this.config, found.set);
        this.leftOut.push(...(found.leftOut ?? []));
      } else {
        this.leaveOut(from, found.why, found.instead);
      }
      return;
    }
    const path = [...at, key];
    const [target] = nodeAt(path) === undefined ? aliasOf(path, this.config) : [path];
    if (target === undefined) {
      this.leaveOut(
        from,
        "this import knows no key for it",
        "overrides, where CAPZ or kubeadm has a field for it",
      );
      return;
    }
    this.place(target, value, from);
  }

  private place(path: Path, value: unknown, from: string): void {
    if (valueAt(this.config, path) !== undefined) {
      return;
    }
    const isSize = /^(vmSize|nodeSize)$/.test(String(path.at(-1)));
    if (!isSize || typeof value !== "string" || vmTraits(value)?.premium !== false) {
      this.set(path, value);
      return;
    }
    const today = hasGpu(value) ? gpuSize : plainSize(value);
    const here = today ?? String(exampleOf(nodeAt(path) ?? {}));
    this.set(path, here);
    const more = hasGpu(value) ? ", or another one whose GPU fits" : "";
    this.leaveOut(
      `${from}: ${value}`,
      "this size takes no premium disks",
      `${pathText(path)}: ${here}${more}`,
    );
  }
}

/** Whether a value is empty; some tools write every field that they know. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.values(value).every(isEmpty));
