import type { KubernetesObject } from "capz-types";
import { flannelNamespace, flannelVni, networkConfigMap, podVariables } from "./flannelNetwork";
import { winsPodObjects } from "./winsPods";

export interface FlannelWindowsArgs {
  readonly podCidr: string;
  readonly serviceCidr: string;
  readonly image: string;
  readonly serviceAccountName: string;
}

/**
 * The CNI configuration of a Windows node. Pods reach other pods and services under their own address, and services
 * through the overlay.
 */
const cniConfig = ({ podCidr, serviceCidr }: FlannelWindowsArgs) => ({
  name: `flannel.${flannelVni}`,
  cniVersion: "0.3.0",
  type: "flannel",
  capabilities: { dns: true },
  delegate: {
    type: "win-overlay",
    policies: [
      {
        Name: "EndpointPolicy",
        Value: { Type: "OutBoundNAT", ExceptionList: [serviceCidr, podCidr] },
      },
      {
        Name: "EndpointPolicy",
        Value: { Type: "ROUTE", DestinationPrefix: serviceCidr, NeedEncap: true },
      },
    ],
  },
});

/** Flannel on Windows nodes: a pod that starts flanneld on the host through wins. */
export const flannelWindowsObjects = (args: FlannelWindowsArgs): KubernetesObject[] =>
  winsPodObjects({
    name: "kube-flannel-windows",
    namespace: flannelNamespace,
    image: args.image,
    script: "flannel-windows.ps1",
    serviceAccountName: args.serviceAccountName,
    hostNetwork: true,
    env: podVariables,
    // kube-proxy's kubeconfig contains the API server's host name: the service network does not exist yet.
    configMaps: { [networkConfigMap]: "/etc/kube-flannel", "kube-proxy": "/kube-proxy" },
    data: { "cni-conf.json": `${JSON.stringify(cniConfig(args), null, 2)}\n` },
  });
