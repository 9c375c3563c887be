# Microsoft Defender scans the files that the CNI plugins open, which delays every pod by seconds. The plugins themselves are
# still scanned: -ExclusionProcess does not exclude the process (learn.microsoft.com, "Configure exclusions for files opened
# by processes").
if (Get-Command -Name Add-MpPreference -ErrorAction SilentlyContinue) {
    Add-MpPreference -ExclusionProcess 'C:\opt\cni\bin\calico.exe', 'C:\opt\cni\bin\calico-ipam.exe'
    Write-Output 'Defender does not scan the files that the Calico CNI plugins open.'
} else {
    Write-Output 'Defender is not installed: nothing to exclude.'
}
