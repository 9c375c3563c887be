import { overriddenPaths, parseOverrides } from "../../../capi/overrides/overrides";
import { at, isRecord, text } from "capz-windows-kit/untyped";
import type { PlanResource } from "capz-windows-contract";

/** Where the overrides of a component reach: `AzureMachinePool spec.template.diagnostics`. */
function overridesOf(component: PlanResource | undefined): string[] {
  const texts = at(component?.inputs, "overrides");
  return isRecord(texts)
    ? overriddenPaths(
        parseOverrides(Object.fromEntries(Object.entries(texts).map(([kind, json]) => [kind, text(json)]))),
      )
    : [];
}

/** The field of a model; missing where there are none. */
export function overridesField(component: PlanResource | undefined): { readonly overrides?: string[] } {
  const overrides = overridesOf(component);
  return overrides.length === 0 ? {} : { overrides };
}
