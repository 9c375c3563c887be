import { z } from "zod";
import { placeholder } from "capz-windows-kit/writeLine";
import {
  filledMapping,
  keyWithDefault,
  matching,
  optionalKey,
  optionalMapping,
  ownText,
  ownUuid,
  text,
} from "./scalars";

/** Login to the workload cluster with tokens of Microsoft Entra or of another issuer. */

const prefix = (whose: string) =>
  keyWithDefault(z.string().regex(/^(?!system:)\S{0,200}[:/#@-]$/), "oidc:", {
    description: `What the API server puts before the names of ${whose}, so that a token can have no name of Kubernetes itself`,
    allowed: "a text without spaces that ends in : / # @ or -, and does not begin with system:",
    examples: ["oidc:"],
  });

const names = (what: string, example: string) =>
  keyWithDefault(
    z.array(
      z
        .string()
        .min(1)
        .meta({ examples: [example] }),
    ),
    [],
    {
      description: `${what}, each with the prefix of its issuer`,
      allowed: "a list of names",
      examples: [[example]],
    },
  );

const subjects = (role: string, what: string) =>
  filledMapping(
    `Who gets the ClusterRole ${role}: ${what}`,
    {
      groups: names("Groups", "entra:11111111-2222-4333-8444-555555555555"),
      users: names("Users", "entra:11111111-2222-4333-8444-666666666666"),
    },
    { groups: ["entra:11111111-2222-4333-8444-555555555555"] },
  );

const oidcIssuer = z.strictObject({
  issuerUrl: matching(/^https:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, {
    description: "URL of the issuer, exactly as in its tokens (including a trailing slash)",
    allowed: "a URL that begins with https://, without ? and #",
    placeholder: placeholder("URL of your issuer"),
    examples: ["https://login.example.com/realms/company"],
  }),
  audiences: z
    .array(ownText("client ID", "A client", "kubernetes"))
    .min(1)
    .max(10)
    .meta({
      description: "Clients whose tokens are accepted; the first is the one that loginKubeconfig names",
      allowed: "a list of 1 to 10 client IDs",
      placeholder: placeholder("client ID"),
      examples: [["kubernetes"]],
    }),
  usernameClaim: text("Claim with the name of a user. Default: sub", "sub").default("sub"),
  usernamePrefix: prefix("users"),
  groupsClaim: text("Claim with the groups of a user. Default: groups", "groups").default("groups"),
  groupsPrefix: prefix("groups"),
  certificateAuthority: optionalKey(z.string().min(1), {
    description:
      "Certificate authority of the issuer, one certificate in PEM. Default: those that the machines of the control plane trust",
    allowed: "one certificate in PEM",
    placeholder: placeholder("contents of your .pem file"),
    examples: ["-----BEGIN CERTIFICATE----- ..."],
  }),
});

export const authentication = optionalMapping(
  "Login to the workload cluster by Microsoft Entra ID or another issuer, from Kubernetes v1.30 on; the output loginKubeconfig is for it. Every change of an issuer rolls the control plane; a change of administrators and readers does not. Default: only the administrator's certificate of workloadKubeconfig",
  {
    entra: optionalMapping(
      "Microsoft Entra ID; users and groups have the prefix entra: and their object IDs",
      {
        clientId: ownUuid(
          "the app registration",
          "Application (client) ID of the app registration for this cluster",
        ),
        tenantId: ownUuid("the tenant", "Tenant of its users. Default: azure.tenantId").optional(),
        usernameClaim: text(
          "Claim with the name of a user. Default: oid, the object ID, which Entra never assigns again; the values of other claims can change",
          "oid",
        ).default("oid"),
      },
      { clientId: "11111111-2222-4333-8444-777777777777" },
    ),
    oidc: keyWithDefault(z.array(oidcIssuer).max(10), [], {
      description: "Other issuers of OpenID Connect",
      allowed: "a list of up to 10 issuers",
      examples: [[{ issuerUrl: "https://login.example.com/realms/company", audiences: ["kubernetes"] }]],
    }),
    administrators: subjects("cluster-admin", "everything"),
    readers: subjects("view", "reading most objects, but no Secrets"),
  },
  { entra: { clientId: "11111111-2222-4333-8444-777777777777" } },
);
