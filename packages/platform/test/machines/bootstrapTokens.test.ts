import { tokenMinutes } from "capz-windows-platform/machines/bootstrapTokens";
import { longestBootMinutes } from "capz-windows-platform/machines/rollMinutes";

/** Latest check of a token by the bootstrap provider: its default --sync-period (CAPI v1.14.2 bootstrap/kubeadm/main.go). */
const tokenCheckMinutes = 10;

it("leaves the slowest boot its time with a token that nobody has looked at for as long as can be", () => {
  expect(tokenMinutes).toBeGreaterThan(2 * longestBootMinutes);
  expect(tokenMinutes / 2 - tokenCheckMinutes).toBeGreaterThan(longestBootMinutes);
});
