import { missingIn, named, substitute } from "../../import/variables";

/** Like clusterctl's envsubst (github.com/drone/envsubst v2, README). */
const variables = { NAME: "web", EMPTY: "", VERSION: "v1.36.0+abc+d", WINDOWS: "windows-2022" };

describe("variables of a template", () => {
  test.each([
    ["${NAME}-cp", "web-cp"],
    ["${EMPTY:=x}", "x"],
    ["${EMPTY=x}", ""],
    ["${NONE:-x}", "x"],
    ["${NONE-x}", "x"],
    ['${NONE:=""}', '""'],
    ["${GROUP:=${NAME}-group}", "web-group"],
    ["${GROUP:=${OTHER:=${NAME}}-group}", "web-group"],
    ["${WINDOWS#windows-}", "2022"],
    ["${WINDOWS%-*}", "windows"],
    ["${VERSION/+/_}", "v1.36.0_abc+d"],
    ["${VERSION//+/_}", "v1.36.0_abc_d"],
    ["${VERSION:1:4}", "1.36"],
    ["${NAME^^} ${NAME^}", "WEB Web"],
    ["$${NAME} $$x", "${NAME} $x"],
    ["$(date) $NAME", "$(date) $NAME"],
  ])("%s is %s", (text, expected) => {
    expect(substitute(text, variables)).toBe(expected);
  });

  test("without a value are listed, and marked where they are used", () => {
    const text = substitute("a-${AZURE_SUBSCRIPTION_ID}-${NAME}-${X1}", variables);
    expect(missingIn(text)).toEqual(["AZURE_SUBSCRIPTION_ID", "X1"]);
    expect(named(text)).toBe("a-<AZURE_SUBSCRIPTION_ID>-web-<X1>");
  });

  test("that are not closed, or with a function that is not known, are refused", () => {
    expect(() => substitute("a: ${NAME", variables)).toThrow("a ${ is not closed: ${NAME");
    expect(() => substitute("${NAME@Q}", variables)).toThrow(
      "${NAME@Q}: this function of envsubst is not known here",
    );
  });
});
