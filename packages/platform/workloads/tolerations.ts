import type { Taint } from "../machines/nodeLabels";
import { textAt } from "capz-windows-kit/untyped";

/** Whether a toleration is for a taint: https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
export const tolerates = (toleration: unknown, taint: Taint): boolean => {
  const key = textAt(toleration, "key");
  const effect = textAt(toleration, "effect");
  const operator = textAt(toleration, "operator") || "Equal";
  return (
    (effect === "" || effect === taint.effect) &&
    (key === "" ? operator === "Exists" : key === taint.key) &&
    (operator === "Exists" || textAt(toleration, "value") === (taint.value ?? ""))
  );
};
