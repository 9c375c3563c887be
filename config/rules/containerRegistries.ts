import { present } from "capz-windows-kit/present";
import { minor } from "semver";
import { registryName } from "capz-windows-platform/azure/containerRegistries";
import { firstWithCredentialProvider } from "../../bootstrap/registryCredentials";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { isReference, nodeImages } from "../nodeImages";
import type { Settings } from "../settings";
import { versionsOf } from "./releases";

/** Azure container registries from which kubelet pulls with an identity. */

const key = "azureContainerRegistries";

export function containerRegistryRules(settings: Settings): Problem[] {
  const ids = settings.azureContainerRegistries;
  const names = ids.map(registryName);
  const older = versionsOf(settings).find(({ version }) => minor(version) < firstWithCredentialProvider);
  return present<Problem>(
    older !== undefined &&
      ids.length > 0 && {
        path: key,
        value: names,
        uses: [key, "kubernetesVersion", older.path],
        problem: `kubelet of ${older.version} does not read the configuration of a credential provider`,
        allowed: `Kubernetes 1.${firstWithCredentialProvider} and newer; imagePullSecrets of pods before`,
      },
    ...names.map(
      (name, index) =>
        names.indexOf(name) !== index && {
          path: `${key}[${index}]`,
          value: ids[index],
          uses: [key],
          problem: `the same registry as ${key}[${names.indexOf(name)}]: names of registries are unique in Azure`,
          allowed: "each registry once",
        },
    ),
  );
}

export const containerRegistryWarnings = (settings: Settings): Warning[] =>
  settings.azureContainerRegistries.length === 0
    ? []
    : nodeImages(settings)
        .filter((image) => image.path !== "controlPlane" && !isReference(image))
        .map(({ path }) => ({
          path: `${path}.image`,
          message: `kubelet does not start without acr-credential-provider in /var/lib/kubelet/credential-provider, which ${key} needs: image-builder puts it into images for Azure since v0.1.24, check that this one has it`,
        }));
