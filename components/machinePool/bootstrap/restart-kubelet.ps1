# Makes the kubelet start with the flags that kubeadm wrote, now and after every boot.
# There are two kinds of capi-windows image. Where the kubelet is a native service it ignores those flags until
# RestartKubelet.ps1 has made the service anew; older images run it under nssm, which only must start it by itself.
$ErrorActionPreference = 'Stop'
$native = 'C:/k/RestartKubelet.ps1'
if (Test-Path $native) {
    & $native
} else {
    nssm set kubelet start SERVICE_AUTO_START
    nssm restart kubelet
}
