import { told } from "./lines";

/**
 * What Calico's operator writes into TigeraStatus (tigera/operator v1.42, pkg/controller), what Calico's Pods say, and what
 * CSI drivers, the cluster autoscaler and cert-manager write.
 */
export const addons = told(String.raw`
condition TigeraStatus:calico-windows Degraded=True ResourceReadError | Error reading services endpoint configmap: configmaps "kubernetes-services-endpoint" not found | calico-windows-endpoint | kubernetes-services-endpoint | configmap
condition TigeraStatus:calico Degraded=True PodFailure | Pod calico-system/calico-node-x failed to pull container image "quay.io/calico/node:v3.31.9" for container calico-node | calico-degraded | - | -
condition TigeraStatus:calico Available=False ResourceNotReady | DaemonSet "calico-system/calico-node" is not available (awaiting 2 nodes) | calico-not-available | awaiting 2 nodes | calico-system
condition TigeraStatus:calico Progressing=True ResourceNotReady | Waiting on CertificateSigningRequest(s) with labels x to be approved | calico-not-available | CertificateSigningRequest | csr|calico-system
addon calico-node- Error | Felix is not live: Kernel does not support nftables | calico-crashes | Calico exits | logs
pod NotTriggerScaleUp | pod didn't trigger scale-up: 1 max node group size reached, 2 node(s) didn't match Pod's node affinity/selector | scale-up-none | max node group size reached | autoscale
pod NotTriggerScaleUp | pod didn't trigger scale-up: 2 node(s) didn't match Pod's node affinity/selector | scale-up-none | No pool | nodeSelector
pod NotTriggerScaleUp | pod didn't trigger scale-up: 1 in backoff after failed scale-up | scale-up-none | an attempt has failed | machinepools
condition Certificate:capz-serving Ready=False DoesNotExist | Issuing certificate as Secret does not exist | certificate-not-ready | Issuing certificate as Secret does not exist | describe certificate
condition Certificate:capz-serving Ready=False Failed | The certificate request has failed to complete and will be retried: Failed to wait for order resource to become ready | certificate-not-ready | failed to complete | describe certificate
condition Certificate:capz-serving Ready=False Expired | Certificate expired on Sun, 22 Nov 2026 04:00:00 UTC | certificate-not-ready | expired | describe certificate
condition Certificate:capz-serving Ready=False IncorrectIssuer | Issuing certificate as Secret was previously issued by "Issuer.cert-manager.io/other" | certificate-not-ready | previously issued | describe certificate
pod FailedMount | MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = failed to find disk on lun 0. timeout waiting for disk lun 0 | disk-not-found | disk | cordon|delete pod|vmSize
pod FailedMount | MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = could not format /dev/disk(lun: 0), and mount it at C:\x, failed with error | disk-format | format | access|chkdsk|Get-Volume
pod FailedAttachVolume | AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Internal desc = Attach volume pvc-1 to instance win1000000 failed with The maximum number of data disks allowed to be attached to a VM of this size is 4. | disk-count | 4 | vmSize
warning PersistentVolumeClaim:share ProvisioningFailed | failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = failed to create file share: StorageAccountIsNotProvisioned | volume-refused | StorageAccountIsNotProvisioned | describe
warning PersistentVolumeClaim:share ProvisioningFailed | failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = failed to create file share pvc-1 under account f2a9c in resource group sick: storage: service returned error: StatusCode=403, ErrorCode=AuthorizationFailure, ErrorMessage=This request is not authorized to perform this operation. | share-network-rules | network rules | account show --name f2a9c
pod FailedMount | MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = This request is not authorized to perform this operation. | share-network-rules | network rules | account show --name ACCOUNT
warning PersistentVolumeClaim:share ProvisioningFailed | failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = StatusCode=403, ErrorCode=KeyBasedAuthenticationNotPermitted, ErrorMessage=Key based authentication is not permitted on this storage account. | share-keys-forbidden | accepts no keys | allow-shared-key-access
warning PersistentVolumeClaim:share ProvisioningFailed | failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = AuthorizationPermissionMismatch: This request is not authorized to perform this operation using this permission. | volume-refused | using this permission | describe
`);
