import { numberAt, textAt } from "../../../tools/untyped";
import { minutesBetween, stays } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { anyOf, hasCondition, isInitialized, says, unread } from "./finders";
import { capiSource } from "./kinds";
import type { Match, Rule } from "./rule";

/** The API server of the workload cluster, from the management cluster and from here. */

/** A control plane machine gets new certificates only when it is replaced, so their expiry is reported in advance. */
const soonDays = 30;

const dayMinutes = 24 * 60;

/** The earliest expiry of all machines, so that they become one finding. */
const firstEnd = (world: World): string =>
  world
    .all("Machine")
    .filter(stays)
    .map(({ status }) => textAt(status, "certificatesExpiryDate"))
    .filter((date) => minutesBetween(world.now, date) > 0)
    .sort()[0] ?? "";

/**
 * Control plane machines whose certificates end within a number of days, or have ended. Cluster API replaces them by
 * itself when the KubeadmControlPlane says how long before.
 */
const certificatesEnd =
  (ended: boolean) =>
  (world: World): Match[] =>
    world
      .all("Machine")
      .filter(stays)
      .filter(({ metadata }) => metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined)
      .flatMap((object) => {
        const date = textAt(object.status, "certificatesExpiryDate");
        const days = minutesBetween(world.now, date) / dayMinutes;
        const first = firstEnd(world);
        const isReplaced = world
          .all("KubeadmControlPlane")
          .some(
            ({ spec }) =>
              numberAt(spec, "rollout", "before", "certificatesExpiryDays") !== undefined ||
              numberAt(spec, "rolloutBefore", "certificatesExpiryDays") !== undefined,
          );
        const matches = ended ? days <= 0 : days > 0 && days <= soonDays && !isReplaced;
        return date === "" || !matches
          ? []
          : [
              {
                object,
                proof: {
                  where: `Machine ${object.metadata.name}, status.certificatesExpiryDate`,
                  text: date,
                },
                vars: {
                  date: first.slice(0, 10),
                  days: String(Math.floor(minutesBetween(world.now, first) / dayMinutes)),
                },
              },
            ];
      });

const replacedInTime =
  "npx pulumi up --stack {stack}   # sets rollout.before.certificatesExpiryDays: from now on Cluster API replaces machines in time";

const whenInitialized =
  (find: (world: World) => readonly Match[]) =>
  (world: World): readonly Match[] =>
    isInitialized(world) ? find(world) : [];

/** The certificate of a webhook is cert-manager's, not kubeadm's. */
const expired =
  /^(?![^]*(?:failed calling|conversion) webhook)[^]*(?:certificate has expired|CERT_HAS_EXPIRED)/i;

export const workloadAccessRules: readonly Rule[] = [
  {
    id: "control-plane-certificates",
    stage: "control-plane",
    symptom: "x509: certificate has expired, about the API server or etcd",
    cause:
      "The certificates of the control plane have expired: kubeadm issues them for a year, and a machine gets new ones only when it is replaced or upgraded. Cluster API can replace no machine before they are renewed.",
    remedy: [
      "npm run access -- --stack {stack}   # log in to each control plane machine, then:",
      "sudo kubeadm certs renew all && sudo reboot   # kubelet then starts the API server, etcd and the others with the new ones",
      replacedInTime,
    ],
    source: `https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/; ${capiSource} rollout.before.certificatesExpiryDays; cluster-api #5435`,
    find: whenInitialized(
      anyOf(
        unread("workload", ["certificate"], expired),
        says({ kinds: ["KubeadmControlPlane", "Cluster"], text: expired }),
        certificatesEnd(true),
      ),
    ),
  },
  {
    id: "control-plane-certificates-end",
    stage: "control-plane",
    severity: "warning",
    symptom: "Machine: status.certificatesExpiryDate is near",
    cause:
      "The certificates of the machines of the control plane end: the first on {date}, in {days} days, and nothing is set to replace the machine before. When they have ended, the API server and etcd no longer answer, and Cluster API can replace no machine.",
    remedy: [
      replacedInTime,
      "kubectl get machines -n {namespace} -l cluster.x-k8s.io/control-plane -o custom-columns=NAME:.metadata.name,END:.status.certificatesExpiryDate",
      "An upgrade of Kubernetes replaces the machines, too, and so renews their certificates.",
    ],
    source: `https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/; ${capiSource} rollout.before.certificatesExpiryDays`,
    find: certificatesEnd(false),
  },
  {
    id: "workload-unreachable-from-management",
    stage: "control-plane",
    symptom: "Cluster: RemoteConnectionProbe is False",
    cause:
      "Cluster API can no longer reach the workload API server: the egress addresses of the management cluster are not allowed there, the load balancer has no healthy machine, or the API servers are down.",
    remedy: [
      "capz-windows:management: {egressCidrs: [ADDRESS/32]}   # for an existing management cluster: its egress addresses",
      "az network lb show --resource-group {group} --name {cluster}-public-lb --query probes",
      "npm run access -- --stack {stack}   # log in to a control plane machine; then: sudo crictl ps -a",
    ],
    source: `${capiSource} core/reconcilers/cluster/cluster_controller_status.go, setRemoteConnectionProbeCondition`,
    follows: [
      ...["control-plane-certificates", "identity", "azure-limits"],
      ...["azure-resources", "images", "control-plane"],
    ],
    find: whenInitialized(
      hasCondition({
        kinds: ["Cluster"],
        type: "RemoteConnectionProbe",
        message: /probe failed/,
        minutes: 1,
      }),
    ),
  },
  {
    id: "workload-unreachable-from-here",
    stage: "control-plane",
    severity: "warning",
    symptom: "the workload API server does not answer here, although the management cluster reaches it",
    cause:
      "This address is not allowed to reach the workload API server: it is not in access.allowedCidrs, or the server has a private address only.",
    remedy: [
      "capz-windows:access: {allowedCidrs: [YOUR-ADDRESS/32]}   # your address: curl -4 https://ifconfig.me",
      "npm run doctor -- --stack {stack} --workload-kubeconfig FILE   # with a kubeconfig that works from here",
    ],
    source: "components/virtualNetwork/securityRules.ts: only these addresses reach port 6443",
    follows: ["workload-unreachable-from-management", "control-plane", "deletion"],
    find: whenInitialized(unread("workload", ["unreachable", "timeout"])),
  },
  {
    id: "workload-unauthorized",
    stage: "control-plane",
    severity: "warning",
    symptom: "401 or 403 from the workload cluster",
    cause:
      "The kubeconfig of the workload cluster is no longer valid; Cluster API renews its certificate every six months.",
    remedy: [
      "kubectl get secret {cluster}-kubeconfig -n {namespace} -o jsonpath='{.data.value}' | base64 -d > workload.kubeconfig",
      "npx pulumi refresh --stack {stack}",
    ],
    source: `${capiSource} controlplane/kubeadm: rotation of the kubeconfig`,
    find: whenInitialized(unread("workload", ["unauthorized", "forbidden"])),
  },
];
