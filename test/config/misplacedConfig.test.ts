import { misplacedConfig } from "../../config/misplacedConfig";

const key = "pulumi:disable-default-providers";

it.each([[[]], ["[]"], [["kubernetes"]], [null], ['["*"]']])(
  "a stack file may not allow default providers: %j",
  (value) => {
    expect(misplacedConfig("capz-windows", { config: { [key]: value } })).toEqual([
      {
        path: key,
        problem: "a resource without a provider would use whatever login the machine has",
        allowed: 'only ["*"], as in Pulumi.yaml',
      },
    ]);
  },
);

it("a stack file may repeat that there are none", () => {
  expect(misplacedConfig("capz-windows", { config: { [key]: ["*"] } })).toEqual([]);
});
