/**
 * Pulumi organization under which the offline plan runs the program; under it the program downloads nothing. An
 * environment variable could stay set in a shell, and a real deployment would then lack its manifests.
 */
export const offlineOrganization = "capz-windows-offline-plan";

/** Environment variable with the folder that caches pinned manifests; it is read before anything is downloaded. */
export const manifestCacheVariable = "CAPZ_WINDOWS_MANIFEST_CACHE";
