# Starts Azure's cloud-node-manager on a Windows node, in a HostProcess container.
#
# The program is not told the API server's address by Kubernetes in a form that works here: before the CNI runs
# there is no service network. The kubeconfig of kubeadm's ConfigMap kube-proxy names the public endpoint. Its token
# and CA paths begin with /var/run/secrets, which a HostProcess container has below its own mount point
# (kubernetes issue 104562), so the script writes a copy with the paths put right.

$ErrorActionPreference = "Stop"

if (-not $env:CONTAINER_SANDBOX_MOUNT_POINT) { throw "CONTAINER_SANDBOX_MOUNT_POINT is not set: this is no HostProcess container." }
if (-not $env:NODE_NAME) { throw "NODE_NAME is not set." }

$root = $env:CONTAINER_SANDBOX_MOUNT_POINT.Replace("\", "/").TrimEnd("/")
$source = "$root/var/lib/kube-proxy/kubeconfig.conf"
$target = "$root/var/lib/cloud-node-manager/kubeconfig.conf"
$secrets = "/var/run/secrets/"

$kubeconfig = [System.IO.File]::ReadAllText($source)
if (-not $kubeconfig.Contains(" $secrets")) { throw "$source names no file below $secrets -- is it kubeadm's kubeconfig of kube-proxy?" }

# Not Set-Content: Windows PowerShell would write the ANSI code page or a byte order mark.
[System.IO.File]::WriteAllText($target, $kubeconfig.Replace(" $secrets", " $root$secrets"))

$arguments = @(
    "--node-name=$env:NODE_NAME",
    "--use-instance-metadata=true",
    "--kubeconfig=$target",
    "--v=2"
)
Write-Output "Starting cloud-node-manager.exe $arguments"
# The program logs to stderr, which Windows PowerShell can take for an error of its own and stop at.
$ErrorActionPreference = "Continue"
& "$root/cloud-node-manager.exe" $arguments
exit $LASTEXITCODE
