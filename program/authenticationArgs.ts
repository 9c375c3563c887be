import type { AuthenticationArgs } from "../components/authenticationArgs";
import type { Settings } from "../config/settings";
import { issuersOf } from "capz-windows-platform/login/issuers";

/** The issuers as the component takes them; nothing for a stack without login by tokens. */
export const authenticationArgs = ({
  controlPlane: { authentication },
  azure,
}: Settings): AuthenticationArgs | undefined =>
  authentication && {
    issuers: issuersOf(authentication, azure.tenantId).map(({ issuer }) => issuer),
  };
