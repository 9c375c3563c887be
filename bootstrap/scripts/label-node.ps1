# Runs after kubeadm join and labels this node: label-node.ps1 -Labels KEY=VALUE,KEY=VALUE
#
# kubelet sets the labels of its flags only when it makes the Node. Where kubelet is a native service it starts once
# without any flag, and the Node is there already when the flags come.
param([Parameter(Mandatory = $true)][string]$Labels)

$kubectl = Join-Path $env:SystemDrive 'k\kubectl.exe'
$kubeconfig = Join-Path $env:SystemDrive 'etc\kubernetes\kubelet.conf'
$node = (hostname).ToLower()

for ($i = 0; $i -lt 60; $i++) {
    & $kubectl "--kubeconfig=$kubeconfig" label node $node --overwrite ($Labels.Split(','))
    if ($LASTEXITCODE -eq 0) {
        Write-Output "$node has its labels."
        exit 0
    }
    Start-Sleep -Seconds 5
}
Write-Output "$node does not have its labels after five minutes; kubectl says why above."
exit 1
