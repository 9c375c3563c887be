# Runs before kubeadm join on nodes whose containers Docker runs: schedule-mtu.ps1 -HostMtu BYTES -PodMtu BYTES
#
# Docker has no HostProcess containers, so Windows itself runs windows-mtu.ps1: from now on, after each boot, and within
# a minute after it has ended.
param(
    [Parameter(Mandatory = $true)][uint32]$HostMtu,
    [Parameter(Mandatory = $true)][uint32]$PodMtu
)
$ErrorActionPreference = 'Stop'

$task = @{
    TaskName = 'windows-mtu'
    User = 'NT AUTHORITY\SYSTEM'
    Action = New-ScheduledTaskAction -Execute 'powershell.exe' `
        -Argument "-NoProfile -ExecutionPolicy Bypass -File C:\windows-mtu.ps1 -HostMtu $HostMtu -PodMtu $PodMtu"
    Trigger = New-ScheduledTaskTrigger -Once -At (Get-Date) -RepetitionInterval (New-TimeSpan -Minutes 1)
    # By default a task is ended after three days.
    Settings = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -MultipleInstances IgnoreNew
}
Register-ScheduledTask @task -Force | Out-Null
Start-ScheduledTask -TaskName $task.TaskName
Write-Output "The task $($task.TaskName) gives the host an MTU of $HostMtu bytes, and pods $PodMtu."
