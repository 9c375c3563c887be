import type { Case } from "./ruleCases";

const registry = (name: string): string =>
  `/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/r/providers/Microsoft.ContainerRegistry/registries/${name}`;

/** Versions before 1.30.4 have reference images in the Marketplace only. */
const image = { computeGallery: { gallery: "mine", name: "capi", version: "1" } };
const older = (kubernetesVersion: string) => ({ kubernetesVersion, controlPlane: { image } });

const pulls = (...names: string[]) => ({ azureContainerRegistries: names.map(registry) });

export const containerRegistryCases: readonly Case[] = [
  [
    "a registry twice, in other capitals",
    pulls("one", "two", "One"),
    "azureContainerRegistries[2]: the same registry as azureContainerRegistries[0]: names of registries are unique in Azure",
    pulls("one", "two"),
  ],
  [
    "a registry for kubelets that do not know credential providers",
    { ...pulls("one"), ...older("v1.25.16") },
    "azureContainerRegistries: kubelet of v1.25.16 does not read the configuration of a credential provider",
    { ...pulls("one"), ...older("v1.26.15") },
  ],
  [
    "a registry for a pool of an older kubelet",
    {
      ...pulls("one"),
      ...older("v1.27.16"),
      linuxPools: { lin1: { kubernetesVersion: "v1.25.16", image } },
    },
    "azureContainerRegistries: kubelet of v1.25.16 does not read the configuration of a credential provider",
    {
      ...pulls("one"),
      ...older("v1.27.16"),
      linuxPools: { lin1: { kubernetesVersion: "v1.26.15", image } },
    },
  ],
  [
    "the name of a registry instead of its ID",
    { azureContainerRegistries: ["one.azurecr.io"] },
    "azureContainerRegistries[0]: invalid format",
    pulls("one"),
  ],
];
