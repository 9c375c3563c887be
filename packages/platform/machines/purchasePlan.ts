/**
 * CAPZ v1.27.0 (azure/converters/image.go, ImageToPlan) sends Azure the purchase plan of an image for these fields of `image` and
 * for no other, and a stack sets none of them.
 */
export const purchasePlan = {
  fields: ["marketplace.thirdPartyImage", "computeGallery.plan", "sharedGallery.offer"],
  why: "machines of a stack name no purchase plan, and Azure refuses to make them of an image that has one",
  instead: "an image without a purchase plan",
};
