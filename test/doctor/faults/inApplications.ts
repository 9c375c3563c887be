import { app, appWith, ended } from "../blind/pods";
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
    name: "a kubelet of Kubernetes 1.30 says why in an event only",
    rule: "acr-no-login",
    make: (p) => {
      const pod = app(p, "ImagePullBackOff", `Back-off pulling image "${acr}"`, acr);
      p.event(pod, "Failed", `Failed to pull image "${acr}": ${anonymous}`, { side: "workload" });
    },
  },
  {
    name: "a DaemonSet of a private registry on the control plane",
    rule: "acr-control-plane",
    make: (p) => {
      const pod = app(withPullIdentity(p), "ErrImagePull", anonymous, acr);
      pod.spec.nodeName = p.node("sick-control-plane").metadata.name;
    },
  },
  {
    name: "the firewall of a registry",
    rule: "acr-firewall",
    make: (p) =>
      app(
        p,
        "ErrImagePull",
        `failed to pull and unpack image "${acr}": failed to resolve reference "${acr}": unexpected status from HEAD request to https://contoso.azurecr.io/v2/web/manifests/1.4: 403 Forbidden: denied: client with IP '20.50.1.2' is not allowed access. Refer https://aka.ms/acr/firewall to grant access.`,
        acr,
      ),
  },
  {
    name: "the limit of a public registry",
    rule: "registry-limit",
    make: (p) =>
      app(
        p,
        "ErrImagePull",
        "failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/library/redis/manifests/sha256:1: 429 Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit.",
        "redis:7",
      ),
  },
  {
    name: "another registry that wants a login",
    rule: "registry-login",
    make: (p) =>
      app(
        p,
        "ErrImagePull",
        'failed to resolve reference "docker.io/contoso/web:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
        "docker.io/contoso/web:1",
      ),
  },
  refuses(
    "a policy of the company",
    "policy-denied",
    'admission webhook "validation.gatekeeper.sh" denied the request: [no-host-network] The specified hostNetwork and hostPort are not allowed',
  ),
  {
    name: "a node that is cordoned since two days",
    rule: "node-cordoned",
    scope: "pool win1",
    make: (p) => {
      const node = p.node("win1");
      node.spec.unschedulable = true;
      node.spec.taints = [
        { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule", timeAdded: p.ago(2900) },
      ];
    },
  },
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
  {
    name: "a readiness probe asks for a page that is not there",
    rule: "probe-fails",
    make: (p) => {
      const pod = p.pod("workload", "shop", "cart-5f6d8c9b7-k2v8x");
      p.condition(pod, "Ready", { reason: "ContainersNotReady", ago: 40 });
      const [status] = pod.status.containerStatuses as Record<string, unknown>[];
      Object.assign(status!, { ready: false });
      p.event(pod, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 404", {
        side: "workload",
        count: 230,
      });
    },
  },
  {
    name: "an API server extension without Pods",
    rule: "api-service",
    make: (p) => {
      const service = p.add("workload", {
        kind: "APIService",
        apiVersion: "apiregistration.k8s.io/v1",
        metadata: { name: "v1beta1.custom.example.com" },
        spec: { service: { name: "metrics-server", namespace: "kube-system" } },
      });
      p.condition(service, "Available", {
        reason: "MissingEndpoints",
        message:
          'endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
        ago: 30,
      });
    },
  },
  {
    name: "a proxy that is missing: the sandbox image does not come",
    rule: "registry-name",
    make: (p) =>
      appWith(
        p,
        "FailedCreatePodSandBox",
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox "8b1f": failed to get sandbox image "mcr.microsoft.com/oss/kubernetes/pause:3.10": failed to pull image "mcr.microsoft.com/oss/kubernetes/pause:3.10": failed to do request: Head "https://mcr.microsoft.com/v2/oss/kubernetes/pause/manifests/3.10": dial tcp: lookup mcr.microsoft.com: no such host',
      ),
  },
];
