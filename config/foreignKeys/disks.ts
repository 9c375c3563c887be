/** Keys inside an autoscaler, a rollout and a data disk: CAPZ, apimodels, Terraform, eksctl. foreignKey.ts has the format. */
export const diskKeys = `
controlPlane: dataDisks dataDisk
  = controlPlane.etcdDiskGB, the size of the disk of etcd {etcdDiskOf}
controlPlane: diskSizesGB disks
  - only pools have data disks; that of etcd is controlPlane.etcdDiskGB
  + dataDisks of each pool
cluster management: dataDisks dataDisk diskSizesGB disks
  - only pools have data disks; that of etcd is controlPlane.etcdDiskGB
  + dataDisks of each pool
autoscale: minimum minNodes minReplicas minCount minSize
  = pool.autoscale.min, the smallest number of nodes
autoscale: maximum maxNodes maxReplicas maxCount maxSize
  = pool.autoscale.max, the largest number of nodes
rollout: surge
  = pool.rollout.maxSurge, the nodes that are added first
dataDisk: size diskSize diskSizeGB diskSizeGiB sizeGiB volumeSize capacity
  = dataDisk.sizeGB, the size of the disk {gigabytesOf}
dataDisk: nameSuffix label diskName
  = dataDisk.name, the name of the disk
dataDisk: driveLetter drive
  = dataDisk.letter, the letter of the drive {letterOf}
dataDisk: storageAccountType managedDisk sku storageType volumeType
  = dataDisk.type, the type of the disk {diskTypeOf}
dataDisk: lun
  - CAPZ gets the number of a disk from its place in the list
  + name, sizeGB and type of each disk
dataDisk: cachingType caching hostCaching
  - no key sets the cache of a data disk
  + overrides with a patch of AzureMachinePool
`;
