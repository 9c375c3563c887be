# Runs before kubeadm join on nodes whose containers Docker runs.
#
# The first overlay network of a host takes its network away for a moment, and with it the container that Flannel
# would make it from (flannel #1359). Here nothing runs yet that could be cut off.

Import-Module (Join-Path $env:SystemDrive 'k\debug\hns.psm1')

function Get-HostAdapter {
    # The adapter that leads out. Its name depends on the image and on accelerated networking.
    $route = Get-NetRoute -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue |
        Sort-Object -Property RouteMetric | Select-Object -First 1
    if ($null -eq $route) {
        return $null
    }
    return (Get-NetAdapter -InterfaceIndex $route.InterfaceIndex -ErrorAction SilentlyContinue)
}

$network = Get-HnsNetwork | Where-Object { $_.Name -eq 'External' }
if ($null -ne $network) {
    Write-Output 'The overlay network External is there already.'
    exit 0
}
# At boot the route may come later. Without an adapter HNS would make a network that leads nowhere.
$adapter = (Get-HostAdapter).Name
for ($i = 0; $i -lt 60 -and -not $adapter; $i++) {
    Start-Sleep -Seconds 1
    $adapter = (Get-HostAdapter).Name
}
if (-not $adapter) {
    Write-Output 'For a minute no adapter of the host had a default route, so the overlay network is not made; see Get-NetRoute.'
    exit 1
}
# Flannel's container cannot see the host's adapters, and reads the name from here.
Set-Content -Path (Join-Path $env:SystemDrive 'k\network-adapter.txt') -Value $adapter
New-HnsNetwork -Type Overlay -AddressPrefix '192.168.255.0/30' -Gateway '192.168.255.1' -Name External `
    -AdapterName $adapter -SubnetPolicies @(@{ Type = 'VSID'; VSID = 9999 })

# The address moves to the adapter vEthernet (NAME) of the new network; kubeadm join needs it.
for ($i = 0; $i -lt 60; $i++) {
    $now = Get-HostAdapter
    if (($null -ne $now) -and ($now.Name -ne $adapter)) {
        exit 0
    }
    Start-Sleep -Seconds 1
}
Write-Output 'A minute after the overlay network was made the host has no network through it; see Get-HnsNetwork.'
exit 1
