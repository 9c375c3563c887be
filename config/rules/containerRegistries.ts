import { present } from "capz-windows-kit/present";
import { minor } from "semver";
import { registryName } from "capz-windows-platform/azure/containerRegistries";
import { firstWithCredentialProvider } from "../../bootstrap/registryCredentials";
import { marketplacePublisher } from "capz-windows-platform/machines/marketplace";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { nodeImages, usesCommunityGallery, type NodeImage } from "../nodeImages";
import { poolsOf } from "../pools";
import type { Settings } from "../settings";

/** Azure container registries from which kubelet pulls with an identity. */

const key = "azureContainerRegistries";

function versionProblems(settings: Settings): Problem[] {
  const older = [
    { path: "kubernetesVersion", version: settings.kubernetesVersion },
    ...poolsOf(settings).map(({ path, pool }) => ({
      path: `${path}.kubernetesVersion`,
      version: pool.kubernetesVersion,
    })),
  ].find(({ version }) => minor(version) < firstWithCredentialProvider);
  return present(
    older !== undefined && {
      path: key,
      value: settings.azureContainerRegistries.map(registryName),
      uses: [key, "kubernetesVersion", older.path],
      problem: `kubelet of ${older.version} does not read the configuration of a credential provider`,
      allowed: `Kubernetes 1.${firstWithCredentialProvider} and newer; imagePullSecrets of pods before`,
    },
  );
}

export const containerRegistryRules = (settings: Settings): Problem[] => {
  const ids = settings.azureContainerRegistries;
  const names = ids.map(registryName);
  return ids.length === 0
    ? []
    : [
        ...versionProblems(settings),
        ...names.flatMap((name, index): Problem[] =>
          present(
            names.indexOf(name) !== index && {
              path: `${key}[${index}]`,
              value: ids[index],
              uses: [key],
              problem: `the same registry as ${key}[${names.indexOf(name)}]: names of registries are unique in Azure`,
              allowed: "each registry once",
            },
          ),
        ),
      ];
};

/** Whether an image is the user's own, so that its contents are not known here. */
export const isOwn = (image: NodeImage): boolean =>
  !usesCommunityGallery(image) &&
  (image.image?.marketplace === undefined ||
    (image.image.marketplace.publisher ??
      image.image.marketplace.urn?.split(":")[0] ??
      marketplacePublisher) !== marketplacePublisher);

export const containerRegistryWarnings = (settings: Settings): Warning[] =>
  settings.azureContainerRegistries.length === 0
    ? []
    : nodeImages(settings)
        .filter((image) => image.path !== "controlPlane" && isOwn(image))
        .map(({ path }) => ({
          path: `${path}.image`,
          message: `kubelet does not start without acr-credential-provider in /var/lib/kubelet/credential-provider, which ${key} needs: image-builder puts it into images for Azure since v0.1.24, check that this one has it`,
        }));
