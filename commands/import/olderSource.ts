import { extensionPoint } from "capz-windows-kit/extensionPoint";
import type { Plain } from "capz-windows-kit/untyped";
import type { Draft } from "./findings";

export interface OlderSource {
  readonly isApimodel: (document: unknown) => document is Plain;
  /** @throws Refused */
  readonly draftOfApimodel: (model: Plain) => Draft;
}

/** What import reads of acs-engine and aks-engine. */
export const olderSource = extensionPoint<OlderSource>("older/import/register");
