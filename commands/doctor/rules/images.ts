import { missingImages } from "./missingImages";
import type { Detectors } from "./rule";

export const images: Detectors = {
  ...missingImages,
};
