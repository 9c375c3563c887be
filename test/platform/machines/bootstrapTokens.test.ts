import { tokenCheckMinutes, tokenMinutes } from "../../../platform/machines/bootstrapTokens";
import { longestBootMinutes } from "../../../platform/machines/rollMinutes";

it("leaves the slowest boot its time with a token that nobody has looked at for as long as can be", () => {
  expect(tokenMinutes).toBeGreaterThan(2 * longestBootMinutes);
  expect(tokenMinutes / 2 - tokenCheckMinutes).toBeGreaterThan(longestBootMinutes);
});
