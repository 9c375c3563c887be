/** Releases of providers that the Cluster API operator does not get. */

export const providerKinds = [
  "CoreProvider",
  "BootstrapProvider",
  "ControlPlaneProvider",
  "InfrastructureProvider",
];
