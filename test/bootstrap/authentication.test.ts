import { parse } from "yaml";
import { authenticationBootstrap } from "../../bootstrap/authentication";
import { loginRightsObjects } from "../../addons/loginRights";
import { warningsOf } from "../../config/warnings";
import { issuersOf } from "capz-windows-platform/login/issuers";
import { loginKubeconfig } from "../../program/loginKubeconfig";
import { exampleAuthority } from "../support/certificates";
import { settingsWith } from "../support/stacks";

/** Login with tokens, as kubeadm, the cluster and kubectl get it. */

const guid = "11111111-2222-4333-8444-555555555555";
const tenant = "11111111-2222-4333-8444-666666666666";
const company = {
  ...{ issuerUrl: "https://login.example.com/realms/company", audiences: ["kubernetes", "other"] },
  ...{ usernameClaim: "email", usernamePrefix: "company:", groupsClaim: "roles", groupsPrefix: "company/" },
  certificateAuthority: exampleAuthority,
};
const issuers = issuersOf({ entra: { clientId: guid, usernameClaim: "oid" }, oidc: [company] }, tenant).map(
  ({ issuer }) => issuer,
);

const clusterInfo = "/api/v1/namespaces/kube-public/configmaps/cluster-info";
const anonymous = {
  enabled: true,
  conditions: [clusterInfo, "/healthz", "/livez", "/readyz"].map((path) => ({ path })),
};

describe("login with tokens", () => {
  it("is nothing where it is not asked for", () => {
    expect(authenticationBootstrap(undefined, "v1.35.6")).toEqual({ args: [], volumes: [], files: [] });
  });

  it.each([
    ["v1.31.9", "v1beta1", {}],
    ["v1.33.9", "v1beta1", { anonymous }],
    ["v1.34.0", "v1", { anonymous }],
  ])("of %s is a file of %s that only root reads", (version, api, limit) => {
    const { args, volumes, files } = authenticationBootstrap({ issuers }, version);
    const path = "/etc/kubernetes/authentication.yaml";
    expect(args).toEqual([{ name: "authentication-config", value: path }]);
    expect(volumes).toEqual([
      { name: "authentication", hostPath: path, mountPath: path, readOnly: true, pathType: "File" },
    ]);
    expect(files).toEqual([expect.objectContaining({ path, owner: "root:root", permissions: "0600" })]);
    expect(parse(files[0]?.content ?? "")).toEqual({
      apiVersion: `apiserver.config.k8s.io/${api}`,
      kind: "AuthenticationConfiguration",
      ...limit,
      jwt: [
        {
          issuer: { url: `https://login.microsoftonline.com/${tenant}/v2.0`, audiences: [guid] },
          claimMappings: {
            username: { claim: "oid", prefix: "entra:" },
            groups: { claim: "groups", prefix: "entra:" },
          },
        },
        {
          issuer: {
            ...{ url: company.issuerUrl, audiences: company.audiences, audienceMatchPolicy: "MatchAny" },
            certificateAuthority: exampleAuthority,
          },
          claimMappings: {
            username: { claim: "email", prefix: "company:" },
            groups: { claim: "roles", prefix: "company/" },
          },
        },
      ],
    });
  });
});

it("bindings are delivered also without anybody, so that the last one who goes loses the role", () => {
  const noAccounts = { users: [], groups: [] };
  const [administrators, readers] = loginRightsObjects({
    administrators: { groups: ["entra:g"], users: ["entra:u"] },
    readers: noAccounts,
  });
  const apiGroup = "rbac.authorization.k8s.io";
  expect(administrators).toMatchObject({
    roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [
      { apiGroup, kind: "Group", name: "entra:g" },
      { apiGroup, kind: "User", name: "entra:u" },
    ],
  });
  expect(readers).toMatchObject({ roleRef: { apiGroup, kind: "ClusterRole", name: "view" }, subjects: [] });
});

it("a plan warns of a login that gives no one any right", () => {
  const warned = (rights: object) =>
    warningsOf(settingsWith({ controlPlane: { authentication: { entra: { clientId: guid }, ...rights } } }))
      .filter(({ path }) => path === "controlPlane.authentication")
      .map(({ message }) => message);
  expect(warned({})).toEqual([
    "whoever logs in with a token has no rights: name groups or users in administrators and readers, or bind them to roles in the cluster",
  ]);
  expect(warned({ readers: { users: ["entra:ada"] } })).toEqual([]);
});

it("the kubeconfig for people has server and authority of the administrator's, and nothing else of it", () => {
  const given = JSON.stringify({
    clusters: [
      { name: "dev", cluster: { server: "https://dev.example:6443", "certificate-authority-data": "Q0E=" } },
    ],
    contexts: [{ name: "dev-admin@dev", context: { cluster: "dev", user: "dev-admin" } }],
    users: [
      {
        name: "dev-admin",
        user: { "client-certificate-data": "UExBTlRFRA==", "client-key-data": "UExBTlRFRA==" },
      },
    ],
  });
  const text = loginKubeconfig(given, issuers);
  expect(text).not.toContain("UExBTlRFRA==");
  const config = parse(text) as {
    clusters: unknown;
    users: { name: string; user: { exec: { command: string; args: string[] } } }[];
  };
  expect(config).toMatchObject({
    clusters: [
      { name: "dev", cluster: { server: "https://dev.example:6443", "certificate-authority-data": "Q0E=" } },
    ],
    contexts: [
      { name: "dev-entra", context: { cluster: "dev", user: "dev-entra" } },
      { name: "dev-login.example.com-2", context: { cluster: "dev", user: "dev-login.example.com-2" } },
    ],
    "current-context": "dev-entra",
  });
  expect(config.users.map(({ user: { exec } }) => [exec.command, ...exec.args].join(" "))).toEqual([
    `kubelogin get-token --environment AzurePublicCloud --server-id ${guid} --client-id ${guid} --tenant-id ${tenant} --login azurecli`,
    `kubectl oidc-login get-token --oidc-issuer-url=${company.issuerUrl} --oidc-client-id=kubernetes --certificate-authority-data=${Buffer.from(exampleAuthority).toString("base64")}`,
  ]);
});
