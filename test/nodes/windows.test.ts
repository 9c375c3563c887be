import { pwsh } from "./powershell";
import "./windows/restartKubelet.part";
import "./windows/setRegistryFolder.part";
import "./windows/setProxy.part";
import "./windows/createExternalNetwork.part";
import "./windows/labelNode.part";
import "./windows/initializeDataDisks.part";
import "./windows/defenderExcludeCalico.part";
import "./windows/scheduleMtu.part";
import "./windows/windowsMtu.part";
import "./windows/setJumboPacket.part";
import "./windows/cloudNodeManager.part";
import "./windows/kubeProxyHostprocess.part";
import "./windows/olderAddons.part";
import "./windows/collectWindows.part";
import "./windows/bothCollectors.part";
import "./windows/probe.part";

if (pwsh === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_PWSH names no PowerShell 7 (pwsh), which runs the scripts for Windows nodes", () =>
    undefined);
}
