# Runs after kubeadm join and gives kubelet the flags that kubeadm wrote, now and after every boot.
# There are two kinds of capi-windows image: kubelet is a native service, or nssm runs it.
$folder = Join-Path $env:SystemDrive 'k'
$native = Join-Path $folder 'RestartKubelet.ps1'
$nssm = Join-Path $folder 'nssm.exe'

function Wait-Kubelet {
    for ($i = 0; $i -lt 15; $i++) {
        $service = Get-Service -Name kubelet -ErrorAction SilentlyContinue
        if (($null -ne $service) -and ($service.Status -eq 'Running')) {
            return $true
        }
        Start-Sleep -Seconds 2
    }
    return $false
}

if (Test-Path -LiteralPath $native) {
    # A native service has a fixed command line. The image's own script makes the service anew from the flags, but
    # gives up when the old one is not gone within 30 seconds, and then there is no kubelet: hence the tries.
    for ($try = 1; $try -le 3; $try++) {
        Write-Output "kubelet is a native service; $native, try $try"
        & $native
        if (Wait-Kubelet) {
            break
        }
    }
    # Windows restarts a failed service only if it has recovery actions. The image gives them to containerd, not to kubelet
    # (image-builder v0.1.55). kubelet exits where containerd does not answer at its start, and would stay down.
    & sc.exe failure kubelet reset= 3600 actions= restart/10000
    & sc.exe failureflag kubelet 1
} elseif (Test-Path -LiteralPath $nssm) {
    # nssm starts kubelet through a script that reads the flags each time, so kubelet has them already.
    Write-Output 'kubelet is run by nssm'
    & $nssm set kubelet start SERVICE_AUTO_START
} else {
    Write-Output "This image has neither $native nor ${nssm}: only the start mode of kubelet is set."
    Set-Service -Name kubelet -StartupType Automatic
}

if (Wait-Kubelet) {
    Write-Output 'kubelet runs.'
} else {
    Write-Output 'kubelet does not run; its logs are in C:\var\log\kubelet.'
    exit 1
}
