# Starts kube-proxy on a Windows node, in a HostProcess container of an image that has /kube-proxy/kube-proxy.exe and hns.psm1.
#
# The image's own start.ps1 sets the feature gates WinDSR and WinOverlay, which Kubernetes 1.38 does not know (kubernetes
# #142125): kube-proxy would not start. Overlay networks need no gate since 1.34, and DSR follows from --enable-dsr alone.
# As there, the token and the CA are found below the container's mount point (kubernetes #104562).

$ErrorActionPreference = "Stop"

if (-not $env:CONTAINER_SANDBOX_MOUNT_POINT) { throw "CONTAINER_SANDBOX_MOUNT_POINT is not set: this is no HostProcess container." }
if (-not $env:NODE_NAME) { throw "NODE_NAME is not set." }

$root = $env:CONTAINER_SANDBOX_MOUNT_POINT.Replace("\", "/").TrimEnd("/")
$source = "$root/var/lib/kube-proxy/kubeconfig.conf"
$target = "$root/var/lib/kube-proxy-windows/kubeconfig.conf"
$secrets = "/var/run/secrets/"

$kubeconfig = [System.IO.File]::ReadAllText($source)
if (-not $kubeconfig.Contains(" $secrets")) { throw "$source names no file below $secrets -- is it kubeadm's kubeconfig of kube-proxy?" }

# Not Set-Content: Windows PowerShell would write the ANSI code page or a byte order mark.
[System.IO.File]::WriteAllText($target, $kubeconfig.Replace(" $secrets", " $root$secrets"))

$networkName = "Calico"
Import-Module -Force "$root/kube-proxy/hns.psm1"

Write-Output "Waiting for the HNS network $networkName, which Calico makes."
while (-not ($network = Get-HnsNetwork | Where-Object { $_.Name -eq $networkName })) { Start-Sleep -Seconds 1 }

$arguments = @(
    "--hostname-override=$env:NODE_NAME",
    "--v=4",
    "--proxy-mode=kernelspace",
    "--kubeconfig=$target",
    "--network-name=$networkName",
    "--enable-dsr=true"
)
if ($network.Type -eq "Overlay") {
    # The source of what kube-proxy sends on for others; Felix makes the endpoint.
    Write-Output "Waiting for the HNS endpoint Calico_ep."
    while (-not ($endpoint = Get-HnsEndpoint | Where-Object { $_.Name -eq "Calico_ep" })) { Start-Sleep -Seconds 1 }
    $arguments += "--source-vip=$($endpoint.IPAddress)"
}

# kube-proxy does not take over the rules of the one before.
$lists = Get-HnsPolicyList
if ($lists) { $lists | Remove-HnsPolicyList }

Write-Output "Starting kube-proxy.exe $arguments"
# The program logs to stderr, which Windows PowerShell can take for an error of its own and stop at.
$ErrorActionPreference = "Continue"
& "$root/kube-proxy/kube-proxy.exe" $arguments
exit $LASTEXITCODE
