# Keeps the MTU of a Windows node and of its pods: windows-mtu.ps1 -HostMtu BYTES -PodMtu BYTES
#
# HNS gives the adapter of the host and those of containers 1450 bytes, whatever the host had before (microsoft/SDN #517),
# and the CNI plug-ins for Windows set no other value. This script changes only the setting of IP, as Antrea does
# (antrea #2133): no adapter, service or pod is restarted. A reboot, the CNI and HNS make new adapters at any time, so it
# looks every ten seconds, and acts where a value differs.
param(
    [Parameter(Mandatory = $true)][uint32]$HostMtu,
    [Parameter(Mandatory = $true)][uint32]$PodMtu
)
$ErrorActionPreference = 'Stop'
$pause = 10
$patience = 6
# Loopback adapters have 4294967295.
$largest = 65535

function Write-Log($text) { Write-Output "$([datetime]::UtcNow.ToString('s'))Z $text" }

function Get-WantedMtu($interface, $leadingOut) {
    if ($interface.CompartmentId -eq 1) {
        # The host. Adapters of its own that do not lead out stay as they are.
        if ($leadingOut -contains $interface.InterfaceIndex) { return $HostMtu }
    } elseif ($interface.NlMtu -gt $PodMtu) {
        # A pod. A CNI may have given it less for a good reason, such as encryption.
        return $PodMtu
    }
    return $interface.NlMtu
}

function Set-Mtu($interface, [uint32]$bytes) {
    # Each container has a compartment. Without IncludeAllCompartments only the host's adapters are found.
    $adapter = @{ InterfaceIndex = $interface.InterfaceIndex; AddressFamily = 'IPv4'; IncludeAllCompartments = $true }
    Set-NetIPInterface @adapter -NlMtuBytes $bytes
    $now = (Get-NetIPInterface @adapter).NlMtu
    if ($now -ne $bytes) { throw "it still has $now" }
    Write-Log "$($interface.InterfaceAlias) has an MTU of $bytes bytes; it had $($interface.NlMtu)."
}

function Update-Mtu {
    # There is no route while HNS makes the first network.
    $routes = Get-NetRoute -AddressFamily IPv4 -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue
    $leadingOut = @($routes | ForEach-Object { $_.InterfaceIndex })
    $interfaces = Get-NetIPInterface -AddressFamily IPv4 -IncludeAllCompartments |
        Where-Object { $_.NlMtu -le $largest -and $_.ConnectionState -eq 'Connected' }
    $refused = @()
    foreach ($interface in $interfaces) {
        $wanted = Get-WantedMtu $interface $leadingOut
        if ($interface.NlMtu -eq $wanted) { continue }
        try {
            Set-Mtu $interface $wanted
        } catch {
            $refused += "$($interface.InterfaceAlias) does not take an MTU of $wanted bytes: $_"
        }
    }
    if ($refused.Count -gt 0) { throw ($refused -join '; ') }
}

Write-Log "The host gets an MTU of $HostMtu bytes, and pods at most $PodMtu."
$failed = 0
while ($failed -lt $patience) {
    try {
        Update-Mtu
        $failed = 0
    } catch {
        # A container that ended during the look is not found by the next one.
        $failed++
        Write-Log "The look failed: $_"
    }
    Start-Sleep -Seconds $pause
}
# Ending makes the failure visible: kubelet counts the restarts.
Write-Log "$patience looks in a row failed."
exit 1
