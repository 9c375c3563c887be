/**
 * Organization under which the offline plan runs the program. By it the program knows that nothing may be downloaded;
 * a variable could be left in a shell and make a real deployment do without its manifests.
 */
export const offlineOrganization = "capz-windows-offline-plan";

/** Environment variable with the folder in which pinned manifests are kept, and looked for first. */
export const manifestCacheVariable = "CAPZ_WINDOWS_MANIFEST_CACHE";
