import { applySteps, pathText, valueAt, type Path, type Step } from "../../config/steps";
import { exampleOf, nodeAt } from "../../config/jsonSchema";
import { groups } from "../../config/poolDefaults";
import { aliasOf } from "../../config/suggest";
import { plainSize, vmTraits } from "../../platform/machines/vmSizes";
import { isRecord, type Plain } from "../../tools/untyped";
import type { Draft, LeftOut, Open } from "./findings";

/**
 * Carries mappings of other tools into a stack file, key by key. It uses the same table (config/aliases.ts) with which
 * suggestions are made for such keys in a stack file.
 */

/** Functions for keys that the table cannot translate; they return the steps to apply, or why the key is left out. */
export type OwnKeys = Readonly<Record<string, (value: unknown, at: Path) => Own>>;

export type Own =
  | { readonly set: readonly Step[]; readonly leftOut?: readonly LeftOut[]; readonly open?: readonly Open[] }
  | Omit<LeftOut, "from">;

/** A value is carried to a path, or the source says nothing that a stack file would say. */
export const put = (value: unknown, ...path: Path): Own => ({ set: [{ set: path, value }] });
export const nothing: Own = { set: [] };

/** Builds a draft step by step. */
export class Carrier {
  private config: Plain = {};
  private readonly leftOut: LeftOut[] = [];
  private readonly open: Open[] = [];

  set(path: Path, value: unknown): void {
    this.config = applySteps(this.config, [{ set: path, value }]);
  }

  get(path: Path): unknown {
    return valueAt(this.config, path);
  }

  remove(path: Path): void {
    this.config = applySteps(this.config, [{ remove: path }]);
  }

  leaveOut(from: string, why: string, instead?: string): void {
    this.leftOut.push({ from, why, ...(instead === undefined ? {} : { instead }) });
  }

  ask(...open: readonly Open[]): void {
    this.open.push(...open);
  }

  /** Paths of the pools that the draft has so far. */
  pools(os?: "linux" | "windows"): Path[] {
    return groups
      .filter((group) => os === undefined || group === `${os}Pools`)
      .flatMap((group) =>
        Object.keys((this.config[group] as Plain | undefined) ?? {}).map((name) => [group, name]),
      );
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
    const found = own[key]?.(value, at);
    if (found !== undefined) {
      if ("set" in found) {
        this.config = applySteps(this.config, found.set);
        this.leftOut.push(...(found.leftOut ?? []));
        this.ask(...(found.open ?? []));
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
        "no key of a stack file says this",
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
    const today = plainSize(value);
    const here = today ?? String(exampleOf(nodeAt(path) ?? {}));
    this.set(path, here);
    this.leaveOut(`${from}: ${value}`, "this size takes no premium disks", `${pathText(path)}: ${here}`);
  }
}

/** Whether a value is empty; some tools write every field that they know. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.values(value).every(isEmpty));

/**
 * A name that is valid for a pool or a cluster in a stack file; other tools allow other characters.
 * @param prefix - put in front of a name that does not begin with a letter
 * @param length - the most characters that it may have
 */
export function legalName(name: unknown, prefix: string, length: number): string {
  const letters = String(name)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const begun = /^[a-z]/.test(letters) ? letters : `${prefix}-${letters}`;
  return begun.slice(0, length).replace(/-+$/, "");
}

export const poolName = (name: unknown): string => legalName(name, "pool", 40);
