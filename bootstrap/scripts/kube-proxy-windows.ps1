# Sets up kube-proxy on the Windows host whose root is mounted at /host, and runs it there through wins.
$ErrorActionPreference = 'Stop'

$account = '/var/run/secrets/kubernetes.io/serviceaccount'
foreach ($folder in '/k/kube-proxy', "/var/lib/kube-proxy$account") {
    New-Item -ItemType Directory -Force -Path "/host$folder" | Out-Null
}
Copy-Item -Force /k/kube-proxy/* /host/k/kube-proxy/
Copy-Item -Force /var/lib/kube-proxy/* /host/var/lib/kube-proxy/
# The kubeconfig names the token by a path without a drive: client-go on Windows looks for it below the kubeconfig
# (kubernetes #104562).
Copy-Item -Force "$account/*" "/host/var/lib/kube-proxy$account/"

$config = '/host/var/lib/kube-proxy/config.conf'
$network = (Get-Content -Raw /host/etc/cni/net.d/10-flannel.conf | ConvertFrom-Json).name
if (-not $network) { throw '10-flannel.conf names no network.' }
if (-not $env:POD_IP) { throw 'POD_IP is not set.' }
# Load-balanced packets leave with the first address of the node's range, a /24, which Flannel gives to no pod.
$sourceVip = (($env:POD_IP -split '\.')[0..2] + '0') -join '.'
yq w -i $config mode kernelspace
yq w -i $config featureGates.WinOverlay true
yq w -i $config winkernel.networkName $network
yq w -i $config winkernel.sourceVip $sourceVip

wins cli process run --path /k/kube-proxy/kube-proxy.exe `
    --args "--v=4 --config=/var/lib/kube-proxy/config.conf --hostname-override=$env:NODE_NAME"
