# Gives each data disk its letter and an NTFS volume: initialize-data-disks.ps1 -Disks LUN=LETTER=LABEL,LUN=LETTER=LABEL
#
# Data disks are on a SCSI controller of their own: the disk of the operating system and the temporary one are on port 0, or
# on IDE. A disk with a volume keeps it, so the script may run again.
param([Parameter(Mandatory = $true)][string]$Disks)
$ErrorActionPreference = 'Stop'

function Find-DataDisk([int]$Lun) {
    for ($i = 0; $i -lt 60; $i++) {
        $found = Get-CimInstance Win32_DiskDrive |
            Where-Object { $_.InterfaceType -eq 'SCSI' -and $_.SCSIPort -ne 0 -and $_.SCSILogicalUnit -eq $Lun } |
            Select-Object -First 1
        if ($null -ne $found) {
            return [int]$found.Index
        }
        Start-Sleep -Seconds 2
    }
    throw "no data disk at LUN $Lun after two minutes"
}

function Initialize-DataDisk([int]$Lun, [string]$Letter, [string]$Label) {
    $number = Find-DataDisk $Lun
    $disk = Get-Disk -Number $number
    if ($disk.IsOffline) {
        Set-Disk -Number $number -IsOffline $false
    }
    if ($disk.IsReadOnly) {
        Set-Disk -Number $number -IsReadOnly $false
    }
    if ($disk.PartitionStyle -eq 'RAW') {
        Initialize-Disk -Number $number -PartitionStyle GPT
    }
    $partition = Get-Partition -DiskNumber $number -ErrorAction SilentlyContinue |
        Where-Object { $_.Type -ne 'Reserved' } |
        Select-Object -First 1
    if ($null -eq $partition) {
        $partition = New-Partition -DiskNumber $number -UseMaximumSize
    }
    if ([string]$partition.DriveLetter -ne $Letter) {
        Set-Partition -InputObject $partition -NewDriveLetter $Letter
    }
    $volume = Get-Volume -DriveLetter $Letter
    if (-not $volume.FileSystem -or $volume.FileSystem -eq 'RAW') {
        Format-Volume -DriveLetter $Letter -FileSystem NTFS -NewFileSystemLabel $Label -Confirm:$false | Out-Null
    }
    Write-Output "The disk at LUN $Lun is ${Letter}:"
}

$failed = 0
foreach ($entry in $Disks.Split(',')) {
    $lun, $letter, $label = $entry.Split('=')
    try {
        Initialize-DataDisk ([int]$lun) $letter $label
    } catch {
        $failed = 1
        Write-Output "The disk at LUN $lun has not got the letter ${letter}: $_"
    }
}
exit $failed
