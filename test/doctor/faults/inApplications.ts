import { app, ended } from "../blind/pods";
import { notCreated } from "../blind/fourthPlatform";
import type { Patient } from "../patient";
import type { Fault } from "./fault";

/** Applications of users: registries, refusals of the API server, unsuitable nodes, programs that end. */

const acr = "contoso.azurecr.io/web:1.4";
const anonymous = `failed to pull and unpack image "${acr}": failed to resolve reference "${acr}": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://contoso.azurecr.io/oauth2/token?scope=repository%3Aweb%3Apull&service=contoso.azurecr.io: 401 Unauthorized`;

/** The identity that azureContainerRegistries puts on the machines of a pool. */
const withPullIdentity = (p: Patient): Patient => {
  p.get("AzureMachinePool", "win").spec.userAssignedIdentities = [
    {
      providerID:
        "azure:///subscriptions/x/resourcegroups/sick/providers/Microsoft.ManagedIdentity/userAssignedIdentities/sick-pull",
    },
  ];
  return p;
};

const refuses = (name: string, rule: string, why: string): Fault => ({
  name,
  rule,
  make: (p) => notCreated(p, "ReplicaSet", "shop", "cart-5f6d8c9b7", why),
});

export const inApplications: readonly Fault[] = [
  {
    name: "azureContainerRegistries is set, and the registry does not know the identity",
    rule: "acr-no-role",
    make: (p) => app(withPullIdentity(p), "ErrImagePull", anonymous, acr),
  },

  {
    name: "a DaemonSet of a private registry on the control plane",
    rule: "acr-control-plane",
    make: (p) => {
      const pod = app(withPullIdentity(p), "ErrImagePull", anonymous, acr);
      pod.spec.nodeName = p.node("sick-control-plane").metadata.name;
    },
  },

  refuses(
    "a policy of the company",
    "policy-denied",
    'admission webhook "validation.gatekeeper.sh" denied the request: [no-host-network] The specified hostNetwork and hostPort are not allowed',
  ),

  {
    name: "a Windows process that gets no memory",
    rule: "no-memory",
    make: (p) => ended(p, -1073741801),
  },
  {
    name: "a .NET program says that it has no memory",
    rule: "no-memory",
    make: (p) =>
      ended(p, -532462766, "Unhandled exception. System.OutOfMemoryException: Array dimensions exceeded"),
  },
  {
    name: "a crash in native code",
    rule: "access-violation",
    make: (p) => ended(p, 3221225477),
  },
];
