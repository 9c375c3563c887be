/**
 * Of a managed identity nothing but its tags can change. The preview of such an update knows neither principal nor client,
 * and shows every role assignment and credential of the identity as changed, so tags are set when it is made.
 */
export const identityIgnores = ["tags"];
