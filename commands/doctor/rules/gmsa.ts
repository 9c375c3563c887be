import { at, textAt } from "../../../tools/untyped";
import { anyOf, isNotReady, warned } from "./finders";
import { creationFails, podWith } from "./podFinders";
import { describePod } from "./commands";
import type { Family, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Group managed service accounts: the webhook of the add-on, credential specs, and errors of Windows about them. */

const waits = /^(?:CreateContainerError|RunContainerError|CrashLoopBackOff)$/;

/** Errors of Windows about an account of Active Directory. The names of images and Pods, which may say gMSA, are none. */
const aboutAccounts =
  /credential ?spec\b(?![-:@])|trust relationship between this workstation|domain (?:either does not exist|is not available)|primary domain failed|RPC server for the domain|hcs\w*::CreateComputeSystem[^\n]*user name or password is incorrect/i;

/** Pods whose credential spec no webhook has filled in: they run, but without the account. */
const notFilledIn = (world: World): Match[] =>
  world.all("Pod", "workload").flatMap((object) => {
    const options = at(object.spec, "securityContext", "windowsOptions");
    const spec = textAt(options, "gmsaCredentialSpecName");
    return spec === "" || at(options, "gmsaCredentialSpec") !== undefined
      ? []
      : [
          {
            object,
            vars: { spec },
            proof: {
              where: `Pod ${object.metadata.namespace ?? ""}/${object.metadata.name}, spec.securityContext.windowsOptions`,
              text: `gmsaCredentialSpecName is ${spec}, and there is no gmsaCredentialSpec`,
            },
          },
        ];
  });

const documented =
  "https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/; windows-gmsa v0.13";

export const gmsa: Family = {
  name: "gmsa",
  title: "Group managed service accounts",
  intro: "Pods that sign in to Active Directory.",
  rules: [
    {
      id: "gmsa-webhook-down",
      stage: "pods",
      symptom: 'FailedCreate: failed calling webhook "admission-webhook.windows-gmsa.sigs.k8s.io"',
      cause:
        "The webhook of gMSA does not answer the API server, or not with a certificate that it trusts, and without it no pod with an account is made.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get pods,jobs,secrets -n gmsa-webhook   # the Job gmsa-certificate makes the Secret gmsa-webhook-tls",
        "kubectl --kubeconfig workload.kubeconfig create job certificate --from=cronjob/gmsa-certificate -n gmsa-webhook   # writes the authority into the webhooks again",
        "kubectl --kubeconfig workload.kubeconfig logs -n gmsa-webhook -l k8s-app=gmsa-certificate --all-containers",
      ],
      source: "windows-gmsa #54, #153; addons/gmsaCertificate.ts",
      follows: ["pods in gmsa-webhook"],
      find: creationFails(/failed calling webhook "admission-webhook\.windows-gmsa/),
    },
    {
      id: "gmsa-not-allowed",
      stage: "pods",
      symptom: "FailedCreate: service account is not authorized to `use` GMSA cred spec",
      cause: "The service account {account} of the pods of {name} may not use the credential spec {spec}.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig create clusterrole use-{spec} --verb=use --resource=gmsacredentialspecs.windows.k8s.io --resource-name={spec}",
        "kubectl --kubeconfig workload.kubeconfig create rolebinding use-{spec} -n {podNamespace} --clusterrole=use-{spec} --serviceaccount={podNamespace}:{account}",
      ],
      source: documented,
      find: creationFails(
        /service account "(?<account>[^"]*)" is not authorized to `use` GMSA cred spec "(?<spec>[^"]+)"/,
      ),
    },
    {
      id: "gmsa-no-spec",
      stage: "pods",
      symptom: "FailedCreate: cred spec NAME does not exist",
      cause: "The pods of {name} name the credential spec {spec}, and there is none with this name.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get gmsacredentialspecs",
        "New-CredentialSpec -AccountName NAME   # PowerShell, module CredentialSpec; then an object of kind GMSACredentialSpec (docs/workloads/gmsa.md)",
      ],
      source: documented,
      find: creationFails(/\bcred spec (?<spec>\S+) does not exist/),
    },
    {
      id: "gmsa-not-filled-in",
      stage: "pods",
      symptom: "a Pod with a gMSA runs, and Active Directory does not know it",
      cause:
        "{name} names the credential spec {spec}, and its contents are not in the Pod: the gMSA webhook did not run when the Pod was created, so it runs without the account.",
      remedy: [
        "capz-windows:addons: {gmsa: {enabled: true}}",
        "kubectl --kubeconfig workload.kubeconfig delete pod {name} -n {podNamespace}   # afterwards: only new Pods are filled in",
      ],
      source: documented,
      find: notFilledIn,
    },
    {
      id: "gmsa",
      stage: "pods",
      symptom: "a Pod with a gMSA does not start",
      cause:
        "Windows cannot use the credential spec of {name}: its domain is not found, no domain controller answers, or the plug-in that it names is not in the image or may not read the key vault.",
      remedy: [
        describePod,
        "npm run access -- --stack {stack} --node {node}   # log in; then: Get-WinEvent -LogName Microsoft-Windows-Containers-CCG/Admin -MaxEvents 20",
        "nltest /dsgetdc:DOMAIN   # on the node: finds it a domain controller?",
        "az role assignment list --all --assignee IDENTITY -o table   # addons.gmsa.keyVaultIdentity needs Key Vault Secrets User",
      ],
      source: documented,
      find: anyOf(
        podWith({
          side: "workload",
          text: aboutAccounts,
          container: ({ waiting, message }) => (waits.test(waiting) ? `${waiting}: ${message}` : undefined),
        }),
        warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text: aboutAccounts }),
      ),
    },
  ],
};
