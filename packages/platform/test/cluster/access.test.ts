import { controlPlaneSsh, poolAccess } from "capz-windows-platform/cluster/access";

it("the command for the control plane says which ports later machines have, for itself and as a jump host", () => {
  expect(controlPlaneSsh("api.example", { stack: "prod" })).toBe(
    "ssh capi@api.example  # the first machine; later ones have port 2201, 2202 and so on (-p, or HOST:2201 after -J)",
  );
});

it("behind a private API server the command names the stack", () => {
  const command =
    "npm run access -- prod --jump USER@HOST  # or --bastion [GROUP/]NAME: the load balancer of a private API server does not forward ssh";
  expect(controlPlaneSsh("apiserver.prod.capz.io", { stack: "prod" })).toBe(command);
  expect(poolAccess("apiserver.prod.capz.io", "win1000000", "windows", { stack: "prod" })).toEqual({
    ssh: command,
  });
});
