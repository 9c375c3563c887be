# Sets up Flannel on the Windows host whose root is mounted at /host, and runs it there through wins.
$ErrorActionPreference = 'Stop'

$account = '/var/run/secrets/kubernetes.io/serviceaccount'
foreach ($folder in '/etc/cni/net.d', '/etc/kube-flannel', '/opt/cni/bin', '/k/flannel', "/k/flannel$account") {
    New-Item -ItemType Directory -Force -Path "/host$folder" | Out-Null
}
Copy-Item -Force /etc/kube-flannel/net-conf.json /host/etc/kube-flannel/
Copy-Item -Force -Recurse /cni/* /host/opt/cni/bin/
Copy-Item -Force /k/flannel/* /host/k/flannel/
Copy-Item -Force /kube-proxy/kubeconfig.conf /host/k/flannel/kubeconfig.yml
# The kubeconfig names the token by a path without a drive: client-go on Windows looks for it below the kubeconfig
# (kubernetes #104562).
Copy-Item -Force "$account/*" "/host/k/flannel$account/"
Copy-Item -Force /etc/capz-windows/cni-conf.json /host/etc/cni/net.d/10-flannel.conf

# Written before kubeadm join. Without it, or where it is empty, the adapter has the name that capi-windows images give.
$adapterFile = '/host/k/network-adapter.txt'
$adapter = 'Ethernet 2'
if (Test-Path $adapterFile) {
    $written = "$(Get-Content -Raw $adapterFile)".Trim()
    if ($written) { $adapter = $written }
}

# Makes the overlay network where there is none.
wins cli process run --path /k/flannel/setup.exe --args "--mode=overlay --interface=$adapter"
# The overlay takes over the default route; Azure's metadata service must stay reachable.
wins cli route add --addresses 169.254.169.254
wins cli process run --path /k/flannel/flanneld.exe `
    --args "--kube-subnet-mgr --kubeconfig-file /k/flannel/kubeconfig.yml" `
    --envs "POD_NAME=$env:POD_NAME POD_NAMESPACE=$env:POD_NAMESPACE"
