import { lastWords } from "./podAnswers";
import { workloadKubectl } from "./commands";
import type { Rule } from "./rule";

/** The last words of the cloud provider's Pods and of CoreDNS. */

const cloud = lastWords("add-ons", "cloud-provider-azure v1.35, pkg/provider and cmd", ({ metadata }) =>
  /^cloud-(?:controller-manager|node-manager)/.test(metadata.name),
);

export const cloudProviderWords: readonly Rule[] = [
  cloud({
    id: "cloud-provider-config",
    symptom: "cloud-controller-manager: unable to read azure.json",
    cause: "The cloud provider does not find or understand its configuration azure.json: {why}.",
    remedy: [
      "npm run access -- --stack {stack}   # log in; then: sudo ls -l /etc/kubernetes/azure.json; Windows: C:\\k\\azure.json",
      "kubectl get secrets -n {namespace} | grep azure-json",
    ],
    text: /azure\.json|cloud provider configuration|cloud config/i,
  }),
  cloud({
    id: "cloud-provider-identity",
    symptom: "cloud-controller-manager: failed to get token, AuthorizationFailed",
    cause:
      "The identity of the machines cannot log in to Azure, or lacks a role, so the cloud provider stops: {why}.",
    remedy: [
      "az role assignment list --all --assignee IDENTITY -o table   # the identity of the control plane machines: Network Contributor, Virtual Machine Contributor",
      "az vm identity show --resource-group {group} --name MACHINE   # is it assigned?",
    ],
    text: /failed to get token|Identity not found|AuthorizationFailed|AADSTS\d+|does not have authorization/i,
  }),
  cloud({
    id: "instance-metadata",
    symptom: "cloud-node-manager: failed to retrieve instance metadata, dial tcp 169.254.169.254:80",
    cause:
      "The cloud provider on this node does not reach Azure's instance metadata at 169.254.169.254: a route, a firewall or a proxy takes the address.",
    remedy: [
      "npm run access -- --stack {stack} --node {node}   # log in; Windows: Invoke-RestMethod -Headers @{Metadata='true'} -NoProxy http://169.254.169.254/metadata/instance?api-version=2021-02-01",
      "Keep 169.254.169.254 out of proxies (NO_PROXY) and of routes of the node's network.",
    ],
    text: /169\.254\.169\.254[^]*(?:dial tcp|timeout|refused|connectex|deadline)|retrieve instance metadata/i,
  }),
];

const dns = lastWords("pods", "https://coredns.io/plugins/", ({ metadata }) =>
  metadata.name.startsWith("coredns-"),
);

export const dnsWords: readonly Rule[] = [
  dns({
    id: "dns-config",
    symptom: "CoreDNS: plugin/...: not an IP address or file; Unknown directive",
    cause: "CoreDNS does not accept its Corefile: {why}.",
    remedy: [
      `${workloadKubectl} get configmap coredns -n kube-system -o yaml`,
      `${workloadKubectl} rollout restart deployment/coredns -n kube-system   # after it is right`,
    ],
    text: /plugin\/\w+: (?!Loop)|Unknown directive|Corefile/i,
  }),
];
