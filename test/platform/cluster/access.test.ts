import { controlPlaneSsh } from "../../../platform/cluster/access";

it("the command for the control plane says which ports later machines have, for itself and as a jump host", () => {
  expect(controlPlaneSsh("api.example")).toBe(
    "ssh capi@api.example  # the first machine; later ones have port 2201, 2202 and so on (-p, or HOST:2201 after -J)",
  );
});
