import { withVars } from "./answers";
import { textAt } from "capz-windows-kit/untyped";
import type { World } from "../cluster/snapshot";
import { says } from "./finders";
import { azureKinds } from "./kinds";
import type { Detectors, Match } from "./rule";

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
    return withVars(says({ kinds: azureKinds, text: code }), ({ proof }) => ({
      ...(/ app \W?(?<client>[0-9a-f]{8}-[\w-]{27})/i.exec(proof.text)?.groups ?? {}),
      ...known,
    }))(world);
  };

export const secrets: Detectors = {
  "secret-expired": refused(/AADSTS7000222\b/),
  "secret-wrong": refused(/AADSTS7000215\b/),
};
