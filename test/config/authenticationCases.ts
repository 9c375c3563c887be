import { exampleAuthority, exampleServer } from "../support/certificates";
import type { Case } from "./ruleCases";

const guid = "11111111-2222-4333-8444-777777777777";
const entra = { entra: { clientId: guid } };
const authentication = (keys: object, more: object = {}) => ({
  controlPlane: { authentication: keys, ...more },
});
const issuer = (name: string, more: object = {}) => ({
  issuerUrl: `https://${name}.example.com/`,
  audiences: ["kubernetes"],
  ...more,
});
const oidc = (...issuers: object[]) => authentication({ oidc: issuers });
const administrators = (subjects: object, keys: object = entra) =>
  authentication({ ...keys, administrators: subjects });
const argument = (name: string) => ({
  overrides: {
    KubeadmControlPlane: {
      spec: {
        kubeadmConfigSpec: {
          clusterConfiguration: { apiServer: { extraArgs: [{ name, value: "x" }] } },
        },
      },
    },
  },
});
/** Versions before 1.30.4 have reference images in the Marketplace only. */
const image = { computeGallery: { gallery: "mine", name: "capi", version: "1" } };
const podSecurity = (keys: object) => ({ controlPlane: { podSecurity: keys, image } });
const at = "controlPlane.authentication";
const foreignName = "begins with the prefix of no issuer, so no login with a token gives this name";
const other = issuer("b", { usernamePrefix: "b:", groupsPrefix: "b:" });
const many = (count: number) =>
  oidc(
    ...Array.from({ length: 10 }, (_, index) =>
      issuer(`i${index}`, {
        ...{ usernamePrefix: `${index}:`, groupsPrefix: `${index}:` },
        audiences: Array.from({ length: 10 }, (__, audience) => `${"x".repeat(count)}${audience}`),
      }),
    ),
  );

/** Cases of controlPlane.authentication. */
export const authenticationCases: readonly Case[] = [
  [
    "a login of a Kubernetes whose API server reads no such file",
    { ...authentication(entra, { image }), kubernetesVersion: "v1.29.14" },
    `${at}: the API server of v1.29.14 reads no file with issuers`,
    { ...authentication(entra, { image }), kubernetesVersion: "v1.30.0" },
  ],
  ["a login without an issuer", authentication({}), `${at}: names no issuer`, authentication(entra)],
  [
    "an issuer twice",
    oidc(issuer("a"), issuer("a", { usernamePrefix: "b:", groupsPrefix: "b:" })),
    `${at}.oidc[1]: the same issuer as oidc[0]`,
    oidc(issuer("a"), other),
  ],
  [
    "Microsoft Entra twice",
    authentication({
      ...entra,
      oidc: [
        issuer("a", {
          issuerUrl: "https://login.microsoftonline.com/11111111-2222-4333-8444-666666666666/v2.0",
        }),
      ],
    }),
    `${at}.oidc[0]: the same issuer as entra`,
    authentication({ ...entra, oidc: [issuer("a")] }),
  ],
  [
    "two issuers with one prefix of users",
    oidc(issuer("a"), issuer("b", { groupsPrefix: "b:" })),
    `${at}.oidc[1].usernamePrefix: oidc[0] has oidc:: their names do not show whose users these are, and each issuer could name those of the other`,
    oidc(issuer("a"), other),
  ],
  [
    "a prefix of groups inside that of Microsoft Entra",
    authentication({ ...entra, oidc: [issuer("b", { groupsPrefix: "entra:b:" })] }),
    `${at}.oidc[0].groupsPrefix: entra has entra:: their names do not show whose groups these are, and each issuer could name those of the other`,
    authentication({ ...entra, oidc: [issuer("b", { groupsPrefix: "b:" })] }),
  ],
  [
    "the issuer of the cluster's service accounts",
    oidc(issuer("a", { issuerUrl: "https://kubernetes.default.svc.cluster.local" }), other),
    `${at}.oidc[0].issuerUrl: this is the issuer of the cluster's own service accounts, whose tokens it accepts anyway`,
    oidc(issuer("a"), other),
  ],
  [
    "the certificate of an issuer's server",
    oidc(issuer("a", { certificateAuthority: exampleServer })),
    `${at}.oidc[0].certificateAuthority: the certificate of a server, not of a certificate authority: it stops working when the server renews it`,
    oidc(issuer("a", { certificateAuthority: exampleAuthority })),
  ],
  [
    "two certificates of an issuer",
    oidc(issuer("a", { certificateAuthority: exampleAuthority + exampleServer })),
    `${at}.oidc[0].certificateAuthority: 2 certificates in one text; the one that signed the certificate of the issuer is enough`,
    oidc(issuer("a", { certificateAuthority: exampleAuthority })),
  ],
  [
    "a group without its prefix",
    administrators({ groups: [guid] }),
    `${at}.administrators.groups[0]: ${foreignName}`,
    administrators({ groups: [`entra:${guid}`] }),
  ],
  [
    "a group of Kubernetes itself",
    administrators({ groups: [`entra:${guid}`, "system:masters"] }),
    `${at}.administrators.groups[1]: ${foreignName}`,
    administrators({ groups: [`entra:${guid}`] }),
  ],
  [
    "a user with nothing but a prefix",
    authentication({ ...entra, readers: { users: ["entra:"] } }),
    `${at}.readers.users[0]: ${foreignName}`,
    authentication({ ...entra, readers: { users: ["entra:ada"] } }),
  ],
  [
    "a user of one of several issuers",
    administrators({ users: ["ada"] }, { oidc: [issuer("a"), other] }),
    `${at}.administrators.users[0]: ${foreignName}`,
    administrators({ users: ["b:ada"] }, { oidc: [issuer("a"), other] }),
  ],
  [
    "issuers that do not fit into a file",
    many(72),
    `${at}: the file with the issuers has 10,338 characters`,
    many(71),
  ],
  [
    "a prefix that Kubernetes has itself",
    oidc(issuer("a", { usernamePrefix: "system:" })),
    `${at}.oidc[0].usernamePrefix: invalid format`,
    oidc(issuer("a", { usernamePrefix: "systems:" })),
  ],
  [
    "an issuer without https",
    oidc(issuer("a", { issuerUrl: "http://a.example.com/" })),
    `${at}.oidc[0].issuerUrl: invalid format`,
    oidc(issuer("a")),
  ],
  [
    "issuers in an override",
    { controlPlane: argument("oidc-issuer-url") },
    "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs: oidc-issuer-url: an override may not set this: the stack file has a key for it",
    { controlPlane: { ...argument("oidc-issuer-url"), image }, kubernetesVersion: "v1.29.14" },
  ],
  [
    "Pod Security on an API server without the file",
    { ...podSecurity({}), kubernetesVersion: "v1.24.17" },
    "controlPlane.podSecurity: the API server of v1.24.17 reads no file of this form",
    { ...podSecurity({}), kubernetesVersion: "v1.25.16" },
  ],
  [
    "a file of admission in an override",
    { controlPlane: argument("admission-control-config-file") },
    "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs: admission-control-config-file: an override may not set this: the stack file has a key for it",
    { controlPlane: argument("enable-admission-plugins") },
  ],
];
