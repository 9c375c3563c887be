import { present } from "capz-windows-kit/present";
import { manifestFault } from "capz-windows-platform/manifests/userManifests";
import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { exactlyOne } from "./choices";

type Manifest = Settings["extraManifests"][string];

/** One source, and a digest for one that others can change. */
function sourceProblems(path: string, manifest: Manifest): Problem[] {
  const wrong = exactlyOne(path, manifest, ["file", "url", "objects"]);
  if (wrong) {
    return [wrong];
  }
  const needs = manifest.url !== undefined;
  return present(
    needs !== (manifest.sha256 !== undefined) && {
      path: `${path}.sha256`,
      uses: [path],
      ...(needs ? {} : { value: manifest.sha256 }),
      problem: needs
        ? "what a URL serves can change, and without a digest the change would go unnoticed"
        : "only a file from a url is compared with a digest",
      allowed: needs ? "url with sha256" : "url with sha256, or neither",
    },
  );
}

const objectProblems = (path: string, { objects = [] }: Manifest): Problem[] =>
  objects.flatMap((object, index): Problem[] => {
    const fault = manifestFault(object, index);
    return present(
      fault !== undefined && {
        ...fault,
        path: `${path}.objects[${index}]`,
        uses: [`${path}.objects`],
      },
    );
  });

/** Manifests of which one does not know what they are, and objects that no ClusterResourceSet delivers. */
export const extraManifestRules = (settings: Settings): Problem[] =>
  Object.entries(settings.extraManifests).flatMap(([name, manifest]) => {
    const path = `extraManifests.${name}`;
    return [...sourceProblems(path, manifest), ...objectProblems(path, manifest)];
  });
