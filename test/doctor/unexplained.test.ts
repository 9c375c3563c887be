import { diagnose } from "../../commands/doctor/diagnose";
import { answered } from "./catalogue/told";
import { type Patient, patient } from "./patient";

/** What no rule knows: reported, but after everything that is known, and never hidden by something unrelated. */

const said = (p: Patient) =>
  diagnose(p.snapshot()).findings.map(({ id, consequences }) => [id, consequences.map((one) => one.id)]);

function unknownCondition(p: Patient, kind: string): void {
  p.condition(p.get(kind), "SomethingNew", {
    reason: "NobodyKnowsIt",
    message: "the wheel does not turn",
    ago: 40,
  });
}

it("a condition that nobody knows follows from what is known of the same cluster, a warning included", () => {
  const p = patient();
  answered(p, "network", 429, "TooManyRequests", "The request is being throttled.");
  unknownCondition(p, "Cluster");
  expect(said(p)).toEqual([["throttled", ["condition-unexplained"]]]);
});

it("a condition of half an hour is reported, a younger one not", () => {
  const p = patient();
  unknownCondition(p, "Cluster");
  expect(said(p)).toEqual([["condition-unexplained", []]]);
  p.condition(p.get("Cluster"), "SomethingNew", {
    reason: "NobodyKnowsIt",
    message: "the wheel does not turn",
    ago: 20,
  });
  expect(said(p)).toEqual([]);
});

it("a Pod that waits for an unknown reason is not a consequence of another Pod's image", () => {
  const p = patient();
  p.pod("workload", "shop", "cart-1", { waiting: ["ErrImagePull", "registry.example/cart:1: not found"] });
  p.pod("workload", "shop", "web-1", {
    waiting: ["RunContainerError", "hcs::Whatever: the wheel does not turn"],
  });
  expect(said(p).map(([id]) => id)).toEqual(["image-pull", "pod-not-started"]);
});
