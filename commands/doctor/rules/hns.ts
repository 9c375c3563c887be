import { calicoAgain } from "./commands";
import { eventProof, isFresh } from "./finders";
import { hnsAnswers } from "./hnsAnswers";
import { sandboxFails } from "./podFinders";
import { nodesOf } from "../../cluster/scope";
import type { Match, Rule } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Nodes that the add-on hns-remediation has repaired, by the number of repairs in a row in the last event. */
const hnsRepaired =
  (isOften: (times: number) => boolean) =>
  (world: World): Match[] =>
    nodesOf(world).flatMap((object) => {
      const [last] = world
        .eventsOf(object, "workload")
        .filter((event) => event.reason === "HnsRemediated" && isFresh(event, world.now))
        .sort((a, b) => b.count - a.count);
      return last === undefined || !isOften(last.count) ? [] : [{ object, proof: eventProof(object, last) }];
    });

/** The host network service of Windows nodes. */
export const hnsRules: readonly Rule[] = [
  {
    id: "hns-again",
    stage: "network",
    symptom: "HnsRemediated: HNS was started again, again and again",
    cause:
      "The host network service (HNS) of {node} does not stay up: hns-remediation starts Calico and kube-proxy after each crash, and the next one follows. Causes are an old patch level of Windows, thousands of endpoints or load balancers on one node, or a program that restarts the service.",
    remedy: [
      "kubectl delete machine {machine} -n {namespace}   # replaces the node",
      "npm run images -- --stack {stack}   # how old the patches are; a newer image has the newer HNS",
      "npm run access -- --stack {stack} --node {node}   # the command that collects the node's logs; event log Microsoft-Windows-Host-Network-Service-Admin",
      "capz-windows:windowsPools: {{pool}: {kubelet: {maxPods: 30}}}   # fewer endpoints on each node",
    ],
    source: "calico #5164; kubernetes #135802, #139519; AgentBaker, hnsremediator.ps1",
    find: hnsRepaired((times) => times >= 3),
  },
  {
    id: "hns-crashed",
    stage: "network",
    severity: "warning",
    symptom: "HnsRemediated",
    cause:
      "The host network service (HNS) of {node} crashed, and hns-remediation has started Calico and kube-proxy again. Pods that ran before may have lost their network: Calico gives a new one to new Pods only.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get pods -A -o wide --field-selector spec.nodeName={node}   # delete those that do not answer",
      "kubectl --kubeconfig workload.kubeconfig logs -n kube-system -l k8s-app=hns-remediation --prefix --tail=50",
    ],
    source: "calico #5164; for-win #12425",
    find: hnsRepaired((times) => times < 3),
  },
  ...hnsAnswers,
  {
    id: "hns",
    stage: "network",
    symptom: "FailedCreatePodSandBox on Windows: hcnCreateEndpoint, HNS failed, HCS",
    cause:
      "The host network service of the Windows node failed: it restarted and lost its networks, or its endpoints are used up.",
    remedy: [
      calicoAgain,
      "kubectl delete machine {machine} -n {namespace}   # when it stays: replaces the node",
      "capz-windows:addons: {hnsRemediation: {enabled: true}}   # starts Calico and kube-proxy after each crash",
      "npm run access -- --stack {stack}   # the command that collects the node's logs",
    ],
    source: "calico #5164; for-win #12425; sig-windows-tools #378",
    follows: ["hns-again"],
    find: sandboxFails(
      /hcn\w+ failed|hnsCall failed|HNS failed|hcsshim::(?!\w*Layer)|The remote procedure call failed|Element not found|cannot find (?:the )?network/i,
    ),
  },
];
