/** Keys inside an autoscaler, a rollout, a data disk, an image and the settings of kubelet: CAPZ, apimodels, Terraform, eksctl. foreignKey.ts has the format. */
export const diskKeys = `
controlPlane: dataDisks dataDisk
  = controlPlane.etcdDiskGB, the size of the disk of etcd {etcdDiskOf}
controlPlane: diskSizesGB disks
cluster management: dataDisks dataDisk diskSizesGB disks
  - only pools have data disks; that of etcd is controlPlane.etcdDiskGB
  + dataDisks of each pool
osDisk rootVolume rootDisk rootBlockDevice: size sizeGB volumeSize
  = pool.osDiskGB, the size of the OS disk {gigabytesOf}
rollout: type
  - a pool always replaces its machines in turns
  + maxSurge, maxUnavailable and deletePolicy {nothing}
rollout: strategy
  - how a pool replaces its machines is said directly below rollout
  + maxSurge, maxUnavailable and deletePolicy {siblings}
rollout: surge
  = pool.rollout.maxSurge, the nodes that are added first
dataDisk: size storage diskSize diskSizeGB diskSizeGiB sizeGiB volumeSize capacity
  = dataDisk.sizeGB, the size of the disk {gigabytesOf}
dataDisk: nameSuffix label diskName
  = dataDisk.name, the name of the disk
dataDisk: driveLetter drive
  = dataDisk.letter, the letter of the drive {letterOf}
dataDisk: storageAccountType managedDisk sku storageType volumeType
  = dataDisk.type, the type of the disk {diskTypeOf}
dataDisk: lun
  - CAPZ gets the number of a disk from its place in the list
  + name, sizeGB and type of each disk {nothing}
dataDisk: cachingType caching hostCaching
  - no key sets the cache of a data disk
  + overrides with a patch of AzureMachinePool
imageReference imageRef sourceImageReference vmImage customImage nodeImage
  = pool.image controlPlane.image, the VM image
pool controlPlane: imageId managedImageId sourceImageId
  = pool.image.id controlPlane.image.id, the ARM ID of an image
image: sharedGallery sharedImageGallery sig gallery
  = pool.image.computeGallery controlPlane.image.computeGallery, an image in a gallery {mappingOf}
computeGallery: galleryName sigName
  = pool.image.computeGallery.gallery controlPlane.image.computeGallery.gallery, the name of the gallery
computeGallery: imageDefinition imageDefinitionName definition imageName
  = pool.image.computeGallery.name controlPlane.image.computeGallery.name, the name of the image in the gallery
computeGallery: imageVersion versionName
  = pool.image.computeGallery.version controlPlane.image.computeGallery.version, the version of the image
image: plan thirdPartyImage
  - images of third parties, which need a purchase plan, are not supported
  + an image without a plan in computeGallery (docs/images.md)
kubeletConfig kubeletConfiguration customKubeletConfig kubeletExtraArgs kubeletArgs
  = pool.kubelet, the configuration of kubelet {translated}
kubelet: registerWithTaints
  = pool.taints, the taints of nodes
containerLogMaxSizeMB containerLogMaxSize
  = pool.kubelet.containerLogs.maxSizeMi, the size of a log of a container
containerLogMaxFiles
  = pool.kubelet.containerLogs.maxFiles, the files of a log of a container
maxPodsPerNode
  = pool.kubelet.maxPods, the largest number of pods on a node
systemReserved kubeReserved
  = pool.kubelet.reserved, what kubelet keeps from pods {translated}
gcHighThreshold imageGCHighThreshold imageGCHighThresholdPercent
  = pool.kubelet.imageGC.highPercent, the use of the disk above which images go
gcLowThreshold imageGCLowThreshold imageGCLowThresholdPercent
  = pool.kubelet.imageGC.lowPercent, the use of the disk down to which images go
imageMinimumGCAge minimumGCAge
  = pool.kubelet.imageGC.minAgeMinutes, the age before which no image goes {minutesOf}
pool: terminationNotification
  = pool.terminationNoticeMinutes, the minutes before a machine goes {minutesOf}
serializeImagePulls
  = pool.kubelet.maxParallelImagePulls, how many images are pulled at the same time {translated}
`;
