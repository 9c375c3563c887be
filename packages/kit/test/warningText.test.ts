import { warningsOnlyIn, warningTexts } from "capz-windows-kit/warningText";

it("folds equal messages over their paths, each once, in the order in which they occur", () => {
  expect(
    warningTexts([
      { path: "windowsPools.a.image", message: "old: very" },
      { path: "wait", message: "slow" },
      { path: "windowsPools.b.image", message: "old: very" },
      { path: "windowsPools.a.image", message: "old: very" },
    ]),
  ).toEqual(["windowsPools.a.image, windowsPools.b.image: old: very", "wait: slow"]);
});

it("compares by path and message, and any other text as a whole", () => {
  const others = ['pool.files[0], addons["x.y"]: a, b: c', "Pulumi says: no, never"];
  expect(warningsOnlyIn(['addons["x.y"], pool.files[1]: a, b: c', "Pulumi says: no, never"], others)).toEqual(
    ["pool.files[1]: a, b: c"],
  );
  expect(warningsOnlyIn(["Pulumi says: yes"], others)).toEqual(["Pulumi says: yes"]);
});
