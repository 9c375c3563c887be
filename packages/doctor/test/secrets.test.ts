import { diagnose } from "capz-windows-doctor/diagnose";
import { patient } from "./patient";

/** Secrets that are missing, or that no longer count. */

const app = "1d97f845-8723-8881-89c7-a725cc1a93ec";
const cause =
  "The client secret of the service principal with which CAPZ logs in has expired (AADSTS7000222), or the Secret of the AzureClusterIdentity has not its value: often the ID of the secret instead, or a former one (AADSTS7000215). What runs goes on, but nothing in Azure can be created, changed or deleted until it is renewed.";
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
      id: "client-secret",
      cause,
      remedy: [
        `az ad app credential reset --id ${app} --append --query password -o tsv   # prints the new secret once`,
        "kubectl create secret generic sp -n secrets --from-literal=clientSecret=NEW-SECRET --dry-run=client -o yaml | kubectl apply -f -   # the Secret that the AzureClusterIdentity names",
        ...end,
      ],
    },
  ]);
});

it("wrong: a client that only Entra names is no value of a command", () => {
  expect(
    told(
      `AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${app}'.`,
      {},
    ),
  ).toEqual([
    {
      id: "client-secret",
      cause,
      remedy: [
        `az ad app credential reset --id CLIENT --append --query password -o tsv   # prints the new secret once`,
        "kubectl create secret generic SECRET -n SECRET-NAMESPACE --from-literal=clientSecret=NEW-SECRET --dry-run=client -o yaml | kubectl apply -f -   # the Secret that the AzureClusterIdentity names",
        ...end,
      ],
    },
  ]);
});

it.each([
  [
    'failed to resolve file source: secret not found: sick/registry-auth: secrets "registry-auth" not found',
    "The Secret registry-auth, from which the bootstrap data of win1-5423e2eb is made, does not exist or lacks the key.",
    "kubectl create secret generic registry-auth -n sick --from-file=KEY=FILE   # of contentFrom of a file, or passwdFrom of a user",
  ],
  [
    'failed to resolve file source: secret references non-existent secret key: "config.json"',
    "A Secret, from which the bootstrap data of win1-5423e2eb is made, does not exist or lacks the key.",
    "kubectl create secret generic SECRET -n sick --from-file=KEY=FILE   # of contentFrom of a file, or passwdFrom of a user",
  ],
])("bootstrap data: %s", (message, cause, command) => {
  const p = patient();
  const config = p.get("KubeadmConfig", "win1");
  const type = "DataSecretAvailable";
  p.condition(config, type, {
    reason: "NotAvailable",
    message: "Failed to read content from secrets for spec.files",
    ago: 25,
  }).condition(config, type, { reason: "DataSecretGenerationFailed", message, former: true, ago: 25 });
  const [first, ...others] = diagnose(p.snapshot()).findings;
  expect(others).toEqual([]);
  expect(first?.cause).toBe(cause);
  expect(first?.remedy[1]).toBe(command);
});
