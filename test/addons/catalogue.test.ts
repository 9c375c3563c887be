import { addonsOf, lineWithoutAddon } from "../../addons/catalogue";
import { optionalKeys } from "../../addons/optionalAddons";

/** What every row of the catalogue needs beside its objects. */

const addons = addonsOf({});
const optional = addons.filter(({ role }) => lineWithoutAddon(role) !== undefined);

it("turns each optional add-on off by its key", () => {
  expect(optional.map(({ role }) => lineWithoutAddon(role))).toEqual(
    optionalKeys.map((key) => `addons.${key}.enabled: false`),
  );
});

it.each(addons)("the import recognizes $role by its name, and takes it for no other", ({ role, instead }) => {
  const found = addons.filter(({ known }) => known.test(`cluster-${role}`));
  expect([...new Set(found.map((addon) => addon.role))]).toEqual([role]);
  expect(found[0]?.instead).toBe(instead);
});

it.each(["azure-metadata", "team-dashboards", "extra-node-exporter"])(
  "%s is no add-on of the stack",
  (name) => {
    expect(addons.filter(({ known }) => known.test(name))).toEqual([]);
  },
);
