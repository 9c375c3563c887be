# Runs after kubeadm join and gives kubelet the flags that kubeadm wrote, on both kinds of image.
$folder = Join-Path $env:SystemDrive 'k'
$native = Join-Path $folder 'RestartKubelet.ps1'
$nssm = Join-Path $folder 'nssm.exe'

function Test-KubeletRunning {
    $service = Get-Service -Name kubelet -ErrorAction SilentlyContinue
    return ($null -ne $service) -and ($service.Status -eq 'Running')
}

function Wait-Kubelet {
    for ($i = 0; $i -lt 15; $i++) {
        if (Test-KubeletRunning) {
            return $true
        }
        Start-Sleep -Seconds 2
    }
    return $false
}

if (Test-Path -LiteralPath $native) {
    # A native service has a fixed command line; the image brings the script that makes it anew from the flags file.
    # That script gives up when the old service is not deleted within 30 seconds, and then there is no kubelet.
    for ($try = 1; $try -le 3; $try++) {
        Write-Output "kubelet is a native service: $native, try $try"
        & $native
        if (Wait-Kubelet) {
            break
        }
    }
} elseif (Test-Path -LiteralPath $nssm) {
    # nssm starts kubelet through a script that reads the flags file itself, so it has them already.
    Write-Output 'kubelet is run by nssm'
    & $nssm set kubelet start SERVICE_AUTO_START
} else {
    Write-Output "Neither $native nor $nssm is on this image: only the start mode of kubelet is set."
    Set-Service -Name kubelet -StartupType Automatic
}

if (Wait-Kubelet) {
    Write-Output 'kubelet runs.'
} else {
    Write-Output 'kubelet does not run: see C:\var\log\kubelet.'
    exit 1
}
