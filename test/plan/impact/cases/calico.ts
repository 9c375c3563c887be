import type { PlanDocument } from "../../../../commands/plan/model/planDocument";
import { withInput } from "../../../support/planDocuments";
import { withCalico } from "./others";
import type { Case } from "../plans";

/** The document with a change in what Calico's set delivers. */
const inCalico = (document: PlanDocument, change: (text: string) => string): PlanDocument => {
  const data = document.resources.find(({ name }) => name === "calico-part-1")!.inputs.data;
  const [key, text] = Object.entries(data as Record<string, string>)[0]!;
  return withInput(document, "calico-part-1", ["data", key], change(text));
};

export const calicoCases: readonly Case[] = [
  {
    rule: "calico-upgrade",
    severity: "changes",
    editBefore: (document) => withCalico(document, "v3.31.7"),
    what: "Calico is upgraded: v3.31.7 → v3.32.1; its operator replaces calico-node on every node, Linux and Windows, one node after the other",
    instead: "addons.calicoVersion with the present version",
    also: ["addon-changes"],
  },
  {
    rule: "calico-block-size",
    severity: "refused",
    editBefore: (document) => inCalico(document, (text) => text.replace(/ +blockSize: 25\n/, "")),
    what: "Calico cannot give nodes other blocks of addresses: 26 → 25",
    instead: "calicoBlockSize: 26 in addons",
    also: ["addon-changes"],
  },
  {
    rule: "azure-metadata-denied",
    severity: "changes",
    editBefore: (document) => inCalico(document, (text) => text.replaceAll("action: Deny", "action: Pass")),
    what: "Pods can no longer reach Azure's metadata service (169.254.169.254) and wire server (168.63.129.16): those with has(projectcalico.org/namespace)",
    instead: "addons.azureMetadata.allowedNamespaces",
    also: ["addon-changes"],
  },
];
