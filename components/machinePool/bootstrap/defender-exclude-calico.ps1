# Windows Defender would scan Calico's CNI plugins at every start of a pod, which takes seconds each time.
$ErrorActionPreference = 'Continue'
foreach ($plugin in 'calico.exe', 'calico-ipam.exe') {
    Add-MpPreference -ExclusionProcess "C:/opt/cni/bin/$plugin"
}
