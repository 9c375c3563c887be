import { missingIn, substitute, variablesIn } from "../../commands/import/variables";

/** A stranger's template gets no other variable of the environment than those that clusterctl documents. */

const env = {
  AZURE_LOCATION: "westeurope",
  CLUSTER_NAME: "dev",
  AZURE_CLIENT_SECRET: "s3cret",
  GITHUB_TOKEN: "ghs_s3cret",
  GITHUB_TOKENX: "ghs_s3cret",
  NPM_TOKEN: "s3cret",
  PULUMI_CONFIG_PASSPHRASE: "s3cret",
  HOME: "/users/me",
  PATH: "/bin",
};

it("documented variables are filled in", () => {
  expect(substitute("${AZURE_LOCATION} ${CLUSTER_NAME}", variablesIn(env))).toBe("westeurope dev");
});

it.each(Object.keys(env).filter((name) => !["AZURE_LOCATION", "CLUSTER_NAME"].includes(name)))(
  "%s is asked for",
  (name) => {
    const text = substitute(`\${${name}}`, variablesIn(env));
    expect(text).not.toContain(env[name as keyof typeof env]);
    expect(missingIn(text)).toEqual([name]);
  },
);

it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("%s is no variable", (name) => {
  expect(substitute(`\${${name}:-x}`, variablesIn(env))).toBe("x");
});
