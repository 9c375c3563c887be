import { diagnose } from "../../doctor/diagnose";
import { patient } from "./patient";

/** The login of a service principal whose client secret no longer counts. */

const app = "1d97f845-8723-8881-89c7-a725cc1a93ec";
const end = [
  "kubectl rollout restart deployment/capz-controller-manager deployment/azureserviceoperator-controller-manager -n capz-system",
  "Use workload identity, which needs no secret: this program sets it up.",
];

function told(text: string, identity: object): readonly unknown[] {
  const p = patient();
  const { spec } = p.get("AzureClusterIdentity");
  delete spec.clientID;
  Object.assign(spec, identity);
  p.refused(
    p.get("AzureCluster"),
    "ResourceGroupReady",
    `ClientSecretCredential authentication failed. {"error_description": "${text}"}`,
  );
  return diagnose(p.snapshot()).findings.map(({ id, cause, remedy }) => ({ id, cause, remedy }));
}

it("expired: the client and the Secret of the AzureClusterIdentity are named", () => {
  expect(
    told("AADSTS7000222: The provided client secret keys are expired.", {
      type: "ServicePrincipal",
      clientID: app,
      clientSecret: { name: "sp", namespace: "secrets" },
    }),
  ).toEqual([
    {
      id: "secret-expired",
      cause:
        "The client secret of the service principal with which CAPZ logs in has expired. What runs goes on, but nothing in Azure can be created, changed or deleted until it is renewed.",
      remedy: [
        `az ad app credential reset --id ${app} --append --query password -o tsv   # prints the new secret once`,
        "kubectl create secret generic sp -n secrets --from-literal=clientSecret=NEW-SECRET --dry-run=client -o yaml | kubectl apply -f -   # the Secret that the AzureClusterIdentity names",
        ...end,
      ],
    },
  ]);
});

it("wrong: the client is named by Entra, when the identity could not be read", () => {
  expect(
    told(
      `AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${app}'.`,
      {},
    ),
  ).toEqual([
    {
      id: "secret-wrong",
      cause:
        "The client secret in the Secret of the AzureClusterIdentity is not one of the service principal's: often it is the ID of the secret in the place of its value, or the secret was renewed in Entra only.",
      remedy: [
        `az ad app credential reset --id ${app} --append --query password -o tsv   # prints the new secret once`,
        "kubectl create secret generic SECRET -n SECRET-NAMESPACE --from-literal=clientSecret=NEW-SECRET --dry-run=client -o yaml | kubectl apply -f -   # the Secret that the AzureClusterIdentity names",
        ...end,
      ],
    },
  ]);
});
