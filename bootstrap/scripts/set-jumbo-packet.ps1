# Runs before kubeadm join where the network carries more than 1500 bytes: set-jumbo-packet.ps1 -Mtu BYTES
#
# Adapters take frames of 1514 bytes by default, and larger ones with this property, whose values Microsoft names: 4088 for
# an MTU of 3900, 9014 for 9000. It restarts an adapter, so it comes before HNS makes the first network. It changes what
# Windows takes, not what it sends. A node whose adapters refuse it joins: TCP then agrees on less.
param([Parameter(Mandatory = $true)][uint32]$Mtu)
$ErrorActionPreference = 'Stop'
$keyword = '*JumboPacket'
$wanted = if ($Mtu -le 3900) { 4088 } else { 9014 }

# The adapter of accelerated networking and the one in front of it; others of Windows have no such property.
foreach ($property in @(Get-NetAdapterAdvancedProperty -RegistryKeyword $keyword -ErrorAction SilentlyContinue)) {
    $name = $property.Name
    $now = [int]@($property.RegistryValue)[0]
    if ($now -ge $wanted) {
        Write-Output "$name takes frames of $now bytes already."
        continue
    }
    try {
        Set-NetAdapterAdvancedProperty -Name $name -RegistryKeyword $keyword -RegistryValue $wanted
        Write-Output "$name takes frames of $wanted bytes; it took $now."
    } catch {
        Write-Output "$name takes frames of $now bytes, and not of ${wanted}: $_"
    }
}

# kubeadm needs the network, which is away while an adapter restarts.
for ($try = 0; $try -lt 60; $try++) {
    if (Get-NetRoute -AddressFamily IPv4 -DestinationPrefix '0.0.0.0/0' -ErrorAction SilentlyContinue) { exit 0 }
    Start-Sleep -Seconds 1
}
Write-Output 'There is no default route after a minute.'
exit 1
