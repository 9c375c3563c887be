import { missingIn, substitute, variablesIn } from "../../commands/import/variables";

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
