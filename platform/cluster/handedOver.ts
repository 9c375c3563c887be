import { present } from "../../tools/present";
import { at, list, ownValue, textAt } from "../../tools/untyped";
import { podOf, privilegesOf } from "./podPrivileges";
import { type PodSecurityLevel, podSecurityLevels } from "./podSecurity";
import { flat, type OpenRight, type Placed } from "./rights";

/** Objects by which others than the cluster decide what its API server does. */

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "another host");

const ofWebhooks = (object: unknown): unknown[] =>
  list(at(object, "webhooks")).map(({ clientConfig }) => clientConfig);

/** What asks a server, and what that server may do then. */
const asked: Readonly<
  Record<string, { readonly gets: string; readonly configs: (object: unknown) => readonly unknown[] }>
> = {
  MutatingWebhookConfiguration: { gets: "see and change the objects of its rules", configs: ofWebhooks },
  ValidatingWebhookConfiguration: { gets: "see and refuse the objects of its rules", configs: ofWebhooks },
  CustomResourceDefinition: {
    gets: "see and change its objects",
    configs: (object) => [at(object, "spec", "conversion", "webhook", "clientConfig")],
  },
};

/** Webhooks that are no Service of the cluster. */
export const outsideWebhooks = (written: readonly Placed[]): OpenRight[] =>
  flat(written).flatMap(({ path, object }) => {
    const kind = textAt(object, "kind");
    const webhooks = ownValue(asked, kind);
    if (webhooks === undefined) {
      return [];
    }
    const hosts = webhooks
      .configs(object)
      .map((config) => textAt(config, "url"))
      .filter((url) => url !== "")
      .map(hostOf);
    return present(
      hosts.length > 0 && {
        path,
        message: `${kind} ${textAt(object, "metadata", "name")} lets ${[...new Set(hosts)].join(", ")} ${webhooks.gets}`,
      },
    );
  });

/** Pods that are more than containers. */
export const privilegedPods = (written: readonly Placed[]): OpenRight[] =>
  flat(written).flatMap(({ path, object }) => {
    const kind = textAt(object, "kind");
    const may = privilegesOf(podOf({ kind, spec: at(object, "spec") }));
    const namespace = textAt(object, "metadata", "namespace") || "default";
    return present(
      may.length > 0 && {
        path,
        message: `${kind} ${namespace}/${textAt(object, "metadata", "name")} has ${may.join("; ")}`,
      },
    );
  });

/** Namespaces whose label lets in more than the level of the stack. */
export const weakerNamespaces = (written: readonly Placed[], enforced: PodSecurityLevel): OpenRight[] =>
  flat(written).flatMap(({ path, object }) => {
    const level = textAt(object, "metadata", "labels", "pod-security.kubernetes.io/enforce");
    const rank = podSecurityLevels.findIndex((one) => one === level);
    return textAt(object, "kind") !== "Namespace" || rank < 0 || rank >= podSecurityLevels.indexOf(enforced)
      ? []
      : [
          {
            path,
            message: `Namespace ${textAt(object, "metadata", "name")} lets in pods of the level ${level}; controlPlane.podSecurity says ${enforced}`,
          },
        ];
  });
