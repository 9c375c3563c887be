import { controlPlaneSsh } from "../../../domain/cluster/access";

it("the command for the control plane says which ports later machines have, for itself and as a jump host", () => {
  expect(controlPlaneSsh("api.example")).toBe(
    "ssh capi@api.example  # port 22 is the first machine's; later ones have 2201, 2202 and so on: -p PORT here, and in commands for nodes -J capi@api.example:PORT",
  );
});
