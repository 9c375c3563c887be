# Watches the host network service (HNS) of a Windows node, in a HostProcess container.
#
# When HNS crashes, Windows starts it again without the load balancers, policies and sometimes networks that it had. Calico
# and kube-proxy do not notice: services stay unreachable from the node until both make their rules again. They do so when
# they start, so this script ends their processes, and kubelet starts them.
#
# The times at which processes began say by themselves whether that is due: what is older than HNS has rules of an HNS that
# is gone. Nothing has to be remembered, and neither a reboot nor a rollout of kube-proxy or Calico looks like a crash.

$ErrorActionPreference = 'Stop'
if (-not $env:CONTAINER_SANDBOX_MOUNT_POINT) { throw 'CONTAINER_SANDBOX_MOUNT_POINT is not set: this is no HostProcess container.' }

$root = $env:CONTAINER_SANDBOX_MOUNT_POINT.Replace('\', '/').TrimEnd('/')
$kubectl = Join-Path $env:SystemDrive 'k\kubectl.exe'
$hnsModule = Join-Path $env:SystemDrive 'k\debug\hns.psm1'
$kubeconfig = "$root/work/kubeconfig.json"
$interval = [int]$env:INTERVAL_SECONDS
$quietHours = 6

$script:stoppedLooks = 0
$script:hadNetwork = $false
$script:repairs = 0
$script:lastRepair = [datetime]::MinValue

function Write-Log($text) { Write-Host "$([datetime]::UtcNow.ToString('s'))Z $text" }

function Initialize-Kubectl {
    # The service network is what may be broken, so the API server is asked under its own name. The token is named by its
    # file, because it is renewed and because other processes can read command lines.
    $account = "$root/var/run/secrets/kubernetes.io/serviceaccount"
    $config = @{
        apiVersion = 'v1'; kind = 'Config'
        clusters = @(@{ name = 'node'; cluster = @{ server = $env:API_SERVER; 'certificate-authority' = "$account/ca.crt" } })
        users = @(@{ name = 'node'; user = @{ tokenFile = "$account/token" } })
        contexts = @(@{ name = 'node'; context = @{ cluster = 'node'; user = 'node' } })
    }
    [System.IO.File]::WriteAllText($kubeconfig, (ConvertTo-Json $config -Depth 5))
}

function Test-Leaving {
    # A cordoned node is drained, or somebody is looking at it. Without an answer the node counts as one that stays: the
    # network may be what is broken.
    $ErrorActionPreference = 'Continue'
    $path = 'jsonpath={.spec.unschedulable}{.metadata.deletionTimestamp}'
    $answer = & $kubectl "--kubeconfig=$kubeconfig" '--context=node' '--request-timeout=10s' get node $env:NODE_NAME -o $path 2>$null
    return ($LASTEXITCODE -eq 0) -and [bool]$answer
}

function Send-Event($message) {
    $ErrorActionPreference = 'Continue'
    $now = [datetime]::UtcNow.ToString('s') + 'Z'
    $body = @{
        apiVersion = 'v1'; kind = 'Event'; type = 'Warning'; reason = 'HnsRemediated'; message = $message
        metadata = @{ generateName = "$env:NODE_NAME-hns-"; namespace = 'default' }
        involvedObject = @{ apiVersion = 'v1'; kind = 'Node'; name = $env:NODE_NAME; uid = $env:NODE_NAME }
        source = @{ component = 'hns-remediation'; host = $env:NODE_NAME }
        count = $script:repairs; firstTimestamp = $now; lastTimestamp = $now
    }
    ConvertTo-Json $body -Depth 3 | & $kubectl "--kubeconfig=$kubeconfig" '--context=node' '--request-timeout=10s' create '--filename=-' 2>&1 | Out-Null
    if ($LASTEXITCODE -ne 0) { Write-Log 'The event could not be written.' }
}

function Test-Network {
    if (-not (Test-Path $hnsModule)) { return $script:hadNetwork }
    Import-Module $hnsModule -DisableNameChecking
    return [bool](Get-HnsNetwork | Where-Object { $_.Name -eq 'Calico' })
}

function Get-Workers($pattern) {
    # Those of Calico are calico-node.exe and the script that makes the network at its start. From v3.33 on the program is
    # calico.exe, which is also the name of the CNI plug-in: that one has no arguments.
    Get-CimInstance Win32_Process -Filter "Name='calico-node.exe' OR Name='calico.exe' OR Name='kube-proxy.exe' OR Name='powershell.exe'" |
        Where-Object { "$($_.Name) $($_.CommandLine)" -match $pattern }
}

function Stop-Workers($workers) {
    foreach ($worker in $workers) {
        Write-Log "Ending $($worker.Name), process $($worker.ProcessId), which began $($worker.CreationDate.ToUniversalTime().ToString('s'))Z."
        Stop-Process -Id $worker.ProcessId -Force -ErrorAction SilentlyContinue
    }
}

$calico = '^calico-node\.exe|^calico\.exe .*\bcomponent\b|node-service\.ps1'
$kubeProxy = '^kube-proxy\.exe'

function Repair-Node($why) {
    $now = Get-Date
    if (($now - $script:lastRepair).TotalHours -ge $quietHours) { $script:repairs = 0 }
    # After the first repair at least 2 minutes, then 4, 8, 16 and 20: an HNS that cannot stay up is not helped by more.
    $pause = [math]::Min(20, [math]::Pow(2, $script:repairs))
    if ($script:repairs -gt 0 -and ($now - $script:lastRepair).TotalMinutes -lt $pause) { return }
    if (Test-Leaving) {
        Write-Log "$why Nothing is done: the node is cordoned or being deleted."
        return
    }
    $script:repairs++
    $script:lastRepair = $now
    Write-Log "$why Repair $($script:repairs) in a row."
    # Calico first: it makes the network that kube-proxy waits for and takes its source address from.
    Stop-Workers (Get-Workers $calico)
    for ($i = 0; $i -lt 24; $i++) {
        Start-Sleep -Seconds 5
        try { if (Test-Network) { break } } catch { Write-Log "HNS does not answer yet: $_" }
    }
    Stop-Workers (Get-Workers $kubeProxy)
    Send-Event "$why Calico and kube-proxy were started again, too (repair $($script:repairs) in a row). Pods that ran before may have to be deleted to get a network."
}

function Watch-Hns {
    $hns = Get-CimInstance Win32_Service -Filter "Name='hns'"
    if ($hns.State -ne 'Running') {
        # Windows itself starts a service that crashed. One that is still down at the next look has used up its restarts.
        $script:stoppedLooks++
        if ($script:stoppedLooks -ge 2 -and -not (Test-Leaving)) {
            Write-Log "HNS is $($hns.State) and is started."
            Start-Service hns
        }
        return
    }
    $script:stoppedLooks = 0
    $began = (Get-CimInstance Win32_Process -Filter "ProcessId=$($hns.ProcessId)").CreationDate
    # HNS restores networks of its own for a moment after its start.
    if (((Get-Date) - $began).TotalSeconds -lt $interval) { return }

    $old = @(Get-Workers "$calico|$kubeProxy" | Where-Object { $_.CreationDate -lt $began })
    $hasNetwork = Test-Network
    if ($old.Count -gt 0) {
        Repair-Node "HNS was started again at $($began.ToUniversalTime().ToString('s'))Z."
    } elseif ($script:hadNetwork -and -not $hasNetwork) {
        Repair-Node 'HNS lost the network Calico.'
    }
    # A new node has the network only after Calico's first start: one that never was there is not lost.
    if ($hasNetwork) { $script:hadNetwork = $true }
}

Initialize-Kubectl
Write-Log "Watching HNS every $interval seconds."
while ($true) {
    try { Watch-Hns } catch { Write-Log "The look failed: $_" }
    Start-Sleep -Seconds $interval
}
