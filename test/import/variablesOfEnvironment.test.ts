import fc from "fast-check";
import { missingIn, notTakenIn, substitute, variablesIn } from "../../commands/import/variables";
import { templateVariables } from "./support";

/** A stranger's template gets no other variable of the environment than those that clusterctl documents. */

const env = {
  AZURE_LOCATION: "westeurope",
  CLUSTER_NAME: "dev",
  AZURE_SSH_PUBLIC_KEY: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV me",
  AZURE_SSH_PUBLIC_KEY_B64:
    "c3NoLWVkMjU1MTkgQUFBQUMzTnphQzFsWkRJMU5URTVBQUFBSUtGd1FlNGNCZG9XTE1IeTlNSTU5RzB1cGF4a3RwbWlJM3FRWVBvMURieVY=",
  AZURE_CLIENT_SECRET: "s3cret",
  GITHUB_TOKEN: "ghs_s3cret",
  GITHUB_TOKENX: "ghs_s3cret",
  NPM_TOKEN: "s3cret",
  PULUMI_CONFIG_PASSPHRASE: "s3cret",
  AZURE_STORAGE_KEY: "s3cret",
  AZURE_COSMOS_KEY1: "s3cret",
  AZURE_OPENAI_API_KEY: "s3cret",
  AZURE_DEVOPS_EXT_PAT: "s3cret",
  CI_JOB_JWT_V2: "s3cret",
  CI_REPOSITORY_URL: "https://gitlab-ci-token:s3cret-of-the-job@gitlab.com/team/clusters.git",
  AZURE_CONFIG_TEXT: "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=s3cretKeyOfTheAccount==",
  WINDOWS_ADMIN_PW: "s3cret",
  WINDOWS_PASSPHRASE: "s3cret",
  AZURE_STORAGE_KEY_PRIMARY: "s3cret",
  EXP_THING: "s3cret",
  HOME: "/users/me",
  PATH: "/bin",
};

const documented = ["AZURE_LOCATION", "CLUSTER_NAME", "AZURE_SSH_PUBLIC_KEY", "AZURE_SSH_PUBLIC_KEY_B64"];

it("documented variables are filled in", () => {
  expect(substitute("${AZURE_LOCATION} ${CLUSTER_NAME}", variablesIn(env))).toBe("westeurope dev");
  expect(Object.keys(variablesIn(env))).toEqual(documented);
});

it.each(Object.keys(env).filter((name) => !documented.includes(name)))("%s is asked for", (name) => {
  const text = substitute(`\${${name}}`, variablesIn(env));
  expect(text).not.toContain(env[name as keyof typeof env]);
  expect(missingIn(text)).toEqual([name]);
});

it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("%s is no variable", (name) => {
  expect(substitute(`\${${name}:-x}`, variablesIn(env))).toBe("x");
});

it("what a user of CAPZ's templates sets is taken", () => {
  expect(variablesIn(templateVariables)).toEqual(templateVariables);
});

it("no name is taken that a word makes out of a documented one", () => {
  const words =
    "PW PASS PASSPHRASE KEY PRIMARY_KEY SIG CONN SECRETVALUE PIN CRED PAT COOKIE OTP SEED X".split(" ");
  const begins = ["AZURE", "WINDOWS", "CI", "EXP", "POD_CIDR", "SERVICE_CIDR", ...documented];
  const name = fc
    .tuple(
      fc.constantFrom(...begins),
      fc.constantFrom("", "_"),
      fc.constantFrom(...words),
      fc.stringMatching(/^[A-Z0-9_]{0,8}$/),
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(name, (one) => {
      expect(variablesIn({ [one]: "plain" })).toEqual({});
      expect(notTakenIn(`a: \${${one}:-x}`, { [one]: "plain" })).toEqual([one]);
    }),
  );
});

it("what is not taken is named if the environment has it", () => {
  const text = "${AZURE_LOCATION} ${WINDOWS_ADMIN_PW} ${EXP_THING:=1} ${OTHER} $${HOME} ${EXP_THING}";
  expect(notTakenIn(text, env)).toEqual(["EXP_THING", "WINDOWS_ADMIN_PW"]);
});
