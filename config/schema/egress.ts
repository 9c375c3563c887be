import { z } from "zod";
import { placeholder } from "capz-windows-kit/writeLine";
import { armId, flag, keyWithDefault, matching, optionalMapping } from "./scalars";

/** How nodes reach registries and the Internet. */

const host = "[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?";

export const proxy = optionalMapping(
  "HTTP proxy of containerd, kubelet, the operating system and the cloud controller manager. Pods get none of it",
  {
    url: matching(new RegExp(`^http://${host}$`), {
      description:
        "Address of the proxy, for http and https. No user and no password: bootstrap data stays readable on the nodes",
      allowed: "http://HOST:PORT",
      placeholder: placeholder("http://HOST:PORT of your proxy"),
      examples: ["http://proxy.example.com:3128"],
    }),
    noProxy: keyWithDefault(z.array(z.string().regex(/^[A-Za-z0-9.*:/_-]+$/)), [], {
      description:
        "Hosts, domains (.example.com) and networks that nodes reach without the proxy, besides those that the program adds: the cluster's networks, its names and Azure's metadata service",
      allowed: "a list of host names, domains, addresses and CIDRs",
      examples: [[".example.com"]],
    }),
  },
  { url: "http://proxy.example.com:3128" },
);

export const registryMirror = optionalMapping(
  "Mirror from which the nodes pull every image, by containerd's hosts.toml; names of images stay as they are. It must let the nodes pull without a password",
  {
    url: matching(new RegExp(`^https://${host}(/[A-Za-z0-9._-]+)*$`), {
      description:
        "Address of the mirror. Below it, containerd looks for an image under the name of its registry: quay.io/calico/node is pulled from mirror.example.com/quay.io/calico/node",
      allowed: "https://HOST or https://HOST/PATH, without a / at the end",
      placeholder: placeholder("https:// address of your mirror"),
      examples: ["https://mirror.example.com"],
    }),
    paths: keyWithDefault(
      z.record(
        matching(new RegExp(`^${host}$`), {
          allowed: "the host of a registry, such as docker.io",
          examples: ["docker.io"],
        }),
        matching(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/, {
          allowed: "a path such as docker-hub or cache/docker-hub",
          examples: ["docker-hub"],
        }),
      ),
      {},
      {
        description:
          "Path of a registry in the mirror, where it is not the registry's name; also further registries that are mirrored. The program's own are docker.io, ghcr.io, mcr.microsoft.com, quay.io and registry.k8s.io",
        allowed: "a mapping of hosts of registries to paths in the mirror",
        examples: [{ "docker.io": "docker-hub" }],
      },
    ),
    fallback: flag("Ask the registry itself for what the mirror does not have"),
  },
  { url: "https://mirror.example.com" },
);

export const azureContainerRegistries = keyWithDefault(
  z.array(armId("An Azure container registry", "Microsoft.ContainerRegistry/registries", "mycompany")),
  [],
  {
    description:
      "Azure container registries from which the nodes of all pools pull without a password: an identity of the machines becomes AcrPull of each, and kubelet logs in with it. Whoever runs `pulumi up` needs the right to assign roles there",
    allowed: "a list of ARM IDs of container registries, each once",
    examples: [
      [
        "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.ContainerRegistry/registries/mycompany",
      ],
    ],
  },
);

export const trustedCertificates = keyWithDefault(
  z.array(
    z
      .string()
      .min(1)
      .meta({
        description: "A certificate authority",
        allowed: "one certificate in PEM",
        placeholder: placeholder("contents of your .pem file"),
        examples: ["-----BEGIN CERTIFICATE----- ..."],
      }),
  ),
  [],
  {
    description:
      "Certificate authorities that all nodes trust, each one certificate in PEM: those of a proxy that inspects TLS, or of a registry",
    allowed: "a list of certificates in PEM",
    examples: [["-----BEGIN CERTIFICATE----- ..."]],
  },
);
