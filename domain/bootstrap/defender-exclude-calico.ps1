# Microsoft Defender scans each start of the CNI plugins, which delays every pod by seconds.
if (Get-Command -Name Add-MpPreference -ErrorAction SilentlyContinue) {
    Add-MpPreference -ExclusionProcess 'C:\opt\cni\bin\calico.exe', 'C:\opt\cni\bin\calico-ipam.exe'
    Write-Output 'Defender leaves the Calico CNI plugins alone.'
} else {
    Write-Output 'Defender is not installed: nothing to exclude.'
}
