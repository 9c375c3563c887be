import { grouped } from "capz-windows-kit/grouped";
import { present } from "capz-windows-kit/present";
import { someNames } from "capz-windows-kit/someNames";
import { at, list, ownValue, strings, textAt } from "capz-windows-kit/untyped";
import { flat, kindOf, nameOf, namespacedName, type OpenRight, type Placed, titleOf } from "./rights";

/** Objects by which others than the cluster decide what its API server does, or get what is sent in it. */

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
  APIService: { gets: "answer for its API group", configs: (object) => [at(object, "spec")] },
};

/** The addresses that an object gives a service beside its pods. */
function addressesOf(object: unknown): { readonly service: string; readonly addresses: readonly string[] } {
  const namespace = textAt(object, "metadata", "namespace");
  if (kindOf(object) === "EndpointSlice") {
    return {
      service: namespacedName(namespace, textAt(object, "metadata", "labels", "kubernetes.io/service-name")),
      addresses: list(at(object, "endpoints")).flatMap(({ addresses }) => strings(addresses)),
    };
  }
  return {
    service: titleOf(object),
    addresses:
      kindOf(object) === "Endpoints"
        ? list(at(object, "subsets")).flatMap(({ addresses, notReadyAddresses }) =>
            [...list(addresses), ...list(notReadyAddresses)].map((one) => textAt(one, "ip")),
          )
        : present(textAt(object, "spec", "externalName")),
  };
}

const isService = (object: unknown): boolean => kindOf(object) === "Service";
const hasAddresses = (object: unknown): boolean => /^(Endpoints|EndpointSlice)$/.test(kindOf(object));

/** Servers outside the cluster that the API server asks: by a URL, or by a service that leads to them. */
export function outsideServers(written: readonly Placed[]): OpenRight[] {
  const all = flat(written);
  const beside = grouped(
    all
      .map(({ object }) => object)
      .filter((object) => isService(object) || hasAddresses(object))
      .map(addressesOf),
    ({ service }) => service,
  );
  const hostsOf = (config: unknown): string[] => {
    const url = textAt(config, "url");
    const service = namespacedName(textAt(config, "service", "namespace"), textAt(config, "service", "name"));
    return [
      ...present(url !== "" && hostOf(url)),
      ...(beside.get(service) ?? []).flatMap(({ addresses }) => addresses),
    ].filter((host) => host !== "");
  };
  return all.flatMap(({ path, object }) => {
    const server = ownValue(asked, kindOf(object));
    const hosts = [...new Set(server?.configs(object).flatMap(hostsOf))];
    return present(
      server !== undefined &&
        hosts.length > 0 && {
          path,
          message: `${kindOf(object)} ${nameOf(object)} lets ${someNames(hosts, 10)} ${server.gets}`,
        },
    );
  });
}

/** Services that Kubernetes, kubeadm and Calico make: a manifest replaces them. */
const ofCluster: readonly string[] = [
  "default/kubernetes",
  "kube-system/kube-dns",
  "calico-system/calico-typha",
];

/** Services with addresses of others, and addresses for services of others. */
export function takenTraffic(written: readonly Placed[]): OpenRight[] {
  const all = flat(written);
  const own = new Set(
    all
      .filter(({ object }) => isService(object))
      .map(({ object }) => titleOf(object))
      .filter((service) => !ofCluster.includes(service)),
  );
  return all.flatMap(({ path, object }) => {
    const taken = isService(object) ? strings(at(object, "spec", "externalIPs")) : [];
    const { service, addresses } = addressesOf(object);
    const title = `${kindOf(object)} ${titleOf(object)}`;
    return present(
      taken.length > 0 && {
        path,
        message: `${title} gets what pods and nodes send to ${someNames(taken, 10)} (externalIPs)`,
      },
      isService(object) &&
        ofCluster.includes(titleOf(object)) && { path, message: `${title} replaces that of the cluster` },
      hasAddresses(object) &&
        addresses.length > 0 &&
        !service.endsWith("/") &&
        !own.has(service) && {
          path,
          message: `${title} sends ${someNames(addresses, 10)} what is meant for the Service ${service} of others`,
        },
    );
  });
}
