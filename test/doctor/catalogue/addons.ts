import { told } from "./lines";

/**
 * What Calico's operator writes into TigeraStatus (tigera/operator v1.42, pkg/controller), what Calico's Pods say, and what
 * CSI drivers, the cluster autoscaler and cert-manager write.
 */
export const addons = told(String.raw`
condition TigeraStatus:calico Degraded=True ResourceScalingError | Failed to scale typha: not enough linux nodes to schedule typha pods on, require 2 and have 1 | typha | Typha | linuxPools
condition TigeraStatus:calico-windows Degraded=True ResourceReadError | Invalid StrictAffinity, it must be set to 'true' when using Calico IPAM on Windows: StrictAffinity is false | calico-strict-affinity | strict affinity | ipamconfig
condition TigeraStatus:calico-windows Degraded=True ResourceReadError | Error reading services endpoint configmap: configmaps "kubernetes-services-endpoint" not found | calico-windows-endpoint | kubernetes-services-endpoint | configmap
condition TigeraStatus:calico-windows Degraded=True ResourceReadError | Error reading VXLANVNI from FelixConfiguration: VXLANVNI not specified in FelixConfigurationSpec | calico-vxlan-vni | VXLANVNI | vxlanVNI
condition TigeraStatus:calico Degraded=True InvalidConfigurationError | Invalid Installation provided: spec.serviceCIDRs: must be provided when using Calico CNI on Windows | calico-service-cidr | service network | serviceCIDRs
condition TigeraStatus:calico Degraded=True InvalidConfigurationError | Invalid Installation provided: Installation spec.CalicoNetwork.IPPools[0] overlaps with another pool | calico-installation | overlaps | installation
condition TigeraStatus:calico Degraded=True InvalidConfigurationError | error validating IP pool configuration: IP pool 192.168.0.0/16 is not within the platform's configured pod network CIDR(s) [10.244.0.0/16] | calico-pool-cidr | pod network | podCidr
condition TigeraStatus:calico Degraded=True CertificateError | Error with Typha/Felix secrets: certificate typha-certs is expired | calico-certificates | certificate | delete secret
condition TigeraStatus:calico Degraded=True ResourceCreateError | Unable to create the Tigera CA: secrets is forbidden | calico-certificates | certificate | secret
condition TigeraStatus:calico Degraded=True ImageSetError | Error resolving ImageSet for components: ImageSet calico-v3.31 missing | calico-image-set | ImageSet | imageset
condition TigeraStatus:calico Degraded=True ResourceReadError | Error retrieving pull secrets: secrets "regcred" not found | calico-pull-secret | regcred | secret
condition TigeraStatus:calico Degraded=True MigrationError | Existing Calico installation can not be managed by Tigera Operator as it is configured in a way that Operator does not currently support | calico-migration | another installation|installed | manifest|kube-system
condition TigeraStatus:calico Degraded=True ResourceNotFound | waiting for enabled IP pools to be created | calico-pools-missing | IP pool | ippools
condition TigeraStatus:calico Degraded=True ResourceNotFound | Installation not found | calico-no-installation | Installation | installation
condition TigeraStatus:calico Degraded=True ResourceUpdateError | Error creating / updating resource: admission webhook "x" denied the request: privileged | calico-refused | denied the request | webhook|policy
condition TigeraStatus:calico Degraded=True ResourceUpdateError | Error creating / updating CRD resource: the server is currently unable to handle the request | calico-api | API server|unable to handle | tigera-operator
condition TigeraStatus:calico Degraded=True PodFailure | Pod calico-system/calico-node-x has crash looping container: calico-node (2 pods affected) | calico-pods | calico-node-x | logs|describe
condition TigeraStatus:calico Degraded=True PodFailure | Pod calico-system/calico-node-x failed to pull container image "quay.io/calico/node:v3.31.9" for container calico-node | calico-pods | failed to pull | logs|describe
condition TigeraStatus:apiserver Degraded=True ResourceNotReady | Waiting for Tigera API server to be ready | calico-degraded | Waiting for Tigera API server | get tigerastatus
condition TigeraStatus:calico Degraded=True SomethingNew | A reason that nobody knows | calico-degraded | A reason that nobody knows | get tigerastatus
condition TigeraStatus:calico Available=False ResourceNotReady | DaemonSet "calico-system/calico-node" is not available (awaiting 2 nodes) | calico-not-available | awaiting 2 nodes | calico-system
condition TigeraStatus:calico Progressing=True ResourceNotReady | Waiting on CertificateSigningRequest(s) with labels x to be approved | calico-not-available | CertificateSigningRequest | csr|calico-system
addon calico-node- Error | Unable to auto-detect an IPv4 address using interface regexes [eth.*]: no valid IPv4 addresses found | calico-autodetection | address | nodeAddressAutodetection
addon calico-node- Error | Calico node 'a' is already using the IPv4 address 10.0.0.5. | calico-address-twice | address | delete node|calicoctl
addon calico-node- Error | failed to connect to typha: x509: certificate signed by unknown authority | calico-typha-certificate | certificate | typha-certs|delete secret
addon calico-node- Error | Failed to start connection to Typha: failed to dial any Typha: dial tcp 10.0.0.4:5473: i/o timeout | calico-typha-down | Typha | calico-typha
addon calico-node- Error | Error getting ClusterInformation: Get "https://10.96.0.1:443": dial tcp 10.96.0.1:443: i/o timeout | calico-api-server | API server | kube-proxy
addon calico-node- Error | Felix is not live: Kernel does not support nftables | calico-crashes | Calico exits | logs
pod NotTriggerScaleUp | pod didn't trigger scale-up: 1 max node group size reached, 2 node(s) didn't match Pod's node affinity/selector | scale-up-limit | largest|max | autoscale
pod NotTriggerScaleUp | pod didn't trigger scale-up: 2 node(s) didn't match Pod's node affinity/selector | scale-up-none | no pool|none | nodeSelector|autoscale
pod NotTriggerScaleUp | pod didn't trigger scale-up: 1 in backoff after failed scale-up | scale-up-failed | scale-up|failed | cluster-autoscaler|machinepool
condition Certificate:capz-serving Ready=False DoesNotExist | Issuing certificate as Secret does not exist | certificate-not-ready | Issuing certificate as Secret does not exist | describe certificate
condition Certificate:capz-serving Ready=False Failed | The certificate request has failed to complete and will be retried: Failed to wait for order resource to become ready | certificate-not-ready | failed to complete | describe certificate
condition Certificate:capz-serving Ready=False Expired | Certificate expired on Sun, 22 Nov 2026 04:00:00 UTC | certificate-not-ready | expired | describe certificate
condition Certificate:capz-serving Ready=False IncorrectIssuer | Issuing certificate as Secret was previously issued by "Issuer.cert-manager.io/other" | certificate-not-ready | previously issued | describe certificate
pod FailedMount | MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = failed to find disk on lun 0. timeout waiting for disk lun 0 | disk-not-found | disk | cordon|delete pod|vmSize
pod FailedMount | MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = could not format /dev/disk(lun: 0), and mount it at C:\x, failed with error | disk-format | format | access|chkdsk|Get-Volume
pod FailedMount | MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Aborted desc = An operation with the given Volume ID pvc-1 already exists | mount-slow | in time|still | csi
pod FailedAttachVolume | AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = NotFound desc = failed to get azure instance id for node "win1000000" (instance not found) | disk-node-unknown | does not find|not find | cloud-node-manager|vmss|get nodes
pod FailedAttachVolume | AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Internal desc = Attach volume pvc-1 to instance win1000000 failed with The maximum number of data disks allowed to be attached to a VM of this size is 4. | disk-count | 4 | vmSize
pod FailedAttachVolume | AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Internal desc = Attach volume failed with Disk pvc-1 cannot be attached to the VM because it is not in the same zone as the VM | disk-other-zone | zone | zones|ZRS
pod FailedMount | MountVolume.MountDevice failed for volume "share" : rpc error: code = Internal desc = volume(share) mount failed: New-SmbGlobalMapping : The network path was not found. System Error 53 | share-unreachable | file share | 445
pod FailedMount | MountVolume.MountDevice failed for volume "share" : rpc error: code = Internal desc = volume(share) mount failed: New-SmbGlobalMapping : Access is denied. System Error 5 | share-credentials | key | keys list
pod FailedMount | MountVolume.MountDevice failed for volume "share" : rpc error: code = InvalidArgument desc = GetAccountInfo(share) failed with error: could not get account key from secret(azure-storage-account-x-secret): secrets not found | share-secret | Secret | create secret
pod FailedMount | MountVolume.MountDevice failed for volume "share" : rpc error: code = Internal desc = mount failed: exit status 32: mount error(13): Permission denied | share-credentials | key | keys list
pod FailedMount | MountVolume.MountDevice failed for volume "share" : rpc error: code = InvalidArgument desc = fsType nfs is not supported on Windows | share-nfs | NFS | smb
warning PersistentVolumeClaim:share ProvisioningFailed | failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = failed to create file share: StorageAccountIsNotProvisioned | volume-refused | StorageAccountIsNotProvisioned | describe
warning PersistentVolumeClaim:share ProvisioningFailed | failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = failed to create file share pvc-1 under account f2a9c in resource group sick: storage: service returned error: StatusCode=403, ErrorCode=AuthorizationFailure, ErrorMessage=This request is not authorized to perform this operation. | share-network-rules | network rules | account show --name f2a9c
pod FailedMount | MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = This request is not authorized to perform this operation. | share-network-rules | network rules | account show --name ACCOUNT
warning PersistentVolumeClaim:share ProvisioningFailed | failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = StatusCode=403, ErrorCode=KeyBasedAuthenticationNotPermitted, ErrorMessage=Key based authentication is not permitted on this storage account. | share-keys-forbidden | accepts no keys | allow-shared-key-access
warning PersistentVolumeClaim:share ProvisioningFailed | failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = AuthorizationPermissionMismatch: This request is not authorized to perform this operation using this permission. | volume-refused | using this permission | describe
addon coredns Error | plugin/forward: not an IP address or file: "dns" | dns-config | Corefile | configmap coredns
addon cloud-controller-manager Error | could not init cloud provider azure: failed to get token: Identity not found | cloud-provider-identity | identity | identity
addon cloud-controller-manager Error | unable to read cloud provider configuration file /etc/kubernetes/azure.json: no such file or directory | cloud-provider-config | azure.json | azure.json
`);
