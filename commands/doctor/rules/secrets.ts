import { textAt } from "../../../tools/untyped";
import type { World } from "../../cluster/snapshot";
import { says } from "./finders";
import { azureKinds, entraDocs } from "./kinds";
import type { Match, Rule } from "./rule";

/** The client secret of a service principal, which has to be renewed by hand. */

/** Refused logins, with the client and the Secret of the AzureClusterIdentity that has one. */
const refused =
  (code: RegExp) =>
  (world: World): Match[] => {
    const spec = world
      .all("AzureClusterIdentity")
      .map((identity) => identity.spec)
      .find((each) => textAt(each, "clientSecret", "name") !== "");
    const named = {
      client: textAt(spec, "clientID"),
      secret: textAt(spec, "clientSecret", "name"),
      secretNamespace: textAt(spec, "clientSecret", "namespace"),
    };
    const known = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ""));
    return says({ kinds: azureKinds, text: code })(world).map((match) => {
      const app = / app \W?(?<client>[0-9a-f]{8}-[\w-]{27})/i.exec(match.proof.text)?.groups;
      return { ...match, vars: { ...match.vars, ...app, ...known } };
    });
  };

const remedy = [
  "az ad app credential reset --id {client} --append --query password -o tsv   # prints the new secret once",
  "kubectl create secret generic {secret} -n {secretNamespace} --from-literal=clientSecret=NEW-SECRET --dry-run=client -o yaml | kubectl apply -f -   # the Secret that the AzureClusterIdentity names",
  "kubectl rollout restart deployment/capz-controller-manager deployment/azureserviceoperator-controller-manager -n capz-system",
  "Use workload identity, which needs no secret: this program sets it up.",
];

export const secrets: readonly Rule[] = [
  {
    id: "secret-expired",
    stage: "identity",
    symptom: "AADSTS7000222: the provided client secret keys are expired",
    cause:
      "The client secret of the service principal with which CAPZ logs in has expired. What runs goes on, but nothing in Azure can be created, changed or deleted until it is renewed.",
    remedy,
    source: `${entraDocs}: AADSTS7000222`,
    find: refused(/AADSTS7000222\b/),
  },
  {
    id: "secret-wrong",
    stage: "identity",
    symptom: "AADSTS7000215: invalid client secret provided",
    cause:
      "The client secret in the Secret of the AzureClusterIdentity is not one of the service principal's: often it is the ID of the secret in the place of its value, or the secret was renewed in Entra only.",
    remedy,
    source: `${entraDocs}: AADSTS7000215`,
    find: refused(/AADSTS7000215\b/),
  },
];
