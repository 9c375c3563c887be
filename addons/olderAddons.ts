import { extensionPoint } from "capz-windows-kit/extensionPoint";
import type { Addon } from "./addon";

/** The network and kube-proxy of clusters on which the current ones do not run. */
export const olderAddons = extensionPoint<readonly Addon[]>("older/addons/register");
