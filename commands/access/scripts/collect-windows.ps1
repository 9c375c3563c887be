# Collects the logs of a Windows node into node-logs.zip in the home folder, without secrets. Run as an administrator.
# Never taken: azure.json, kubeconfigs, keys, user data.
param(
  [string]$Root = 'C:\',
  [string]$Archive = (Join-Path $HOME 'node-logs.zip')
)

$ErrorActionPreference = 'Continue'
$ProgressPreference = 'SilentlyContinue'
$lines = 20000
$work = Join-Path ([IO.Path]::GetTempPath()) ('node-logs-' + [guid]::NewGuid().ToString('N'))
$out = Join-Path $work 'logs'
New-Item -ItemType Directory -Path $out -Force | Out-Null

# Patterns of secrets: bootstrap tokens, certificate keys, tokens of service accounts, passwords, keys of storage
# accounts, signatures of storage URLs, credentials in URLs and in headers. Private keys are removed as a whole. If a
# text begins in the middle of a private key, as the end of a file may, everything up to the end of that key is removed.
$secrets = @(
  @('(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|\z)', 'REDACTED-KEY'),
  @('(?s)\A(?:(?!-----BEGIN ).)*-----END [A-Z ]*PRIVATE KEY-----', 'REDACTED-KEY'),
  @('\b([a-z0-9]{6})\.[a-z0-9]{16}\b', '$1.REDACTED'),
  @('(?i)(certificate-key["= :]+)[0-9a-f]{64}', '${1}REDACTED'),
  @('eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)?', 'REDACTED-TOKEN'),
  @('(?i)((password|passwd|secret|aadClientSecret|client-key-data|client-certificate-data|token)"?[=:] *"?)[^" ,;\r\n]+', '${1}REDACTED'),
  @('([?&]sig=)[^& "]+', '${1}REDACTED'),
  @('(://[^/@:\s]*:)[^/@\s]+@', '${1}REDACTED@'),
  @('(?i)(authorization"?: *"?(bearer|basic) +)[^" ,;\r\n]+', '${1}REDACTED'),
  @('(?i)((account-?key|sharedaccesskey|shared-?key|"auth")"?[=:] *"?)[^" ,;\r\n]+', '${1}REDACTED'),
  @('(?i)(--?(password|secret|client-secret) +)[^ \r\n]+', '${1}REDACTED')
)

function Hide-Secrets([string]$Text) {
  foreach ($secret in $secrets) {
    $Text = [regex]::Replace($Text, $secret[0], $secret[1])
  }
  return $Text
}

function Save-Text([string]$Name, $Text) {
  $path = Join-Path $out $Name
  New-Item -ItemType Directory -Path (Split-Path $path) -Force | Out-Null
  [IO.File]::WriteAllText($path, (Hide-Secrets (($Text | Out-String -Width 400))))
}

function Save-Command([string]$Name, [scriptblock]$Command) {
  try {
    Save-Text $Name (& $Command 2>&1)
  } catch {
    Save-Text $Name "failed: $_"
  }
}

function Save-File([string]$Pattern) {
  foreach ($file in (Get-Item -Path (Join-Path $Root $Pattern) -ErrorAction SilentlyContinue)) {
    $relative = $file.FullName.Substring($Root.TrimEnd('\').Length).TrimStart('\')
    Save-Text (Join-Path 'files' $relative) (Get-Content -Path $file.FullName -Tail $lines)
  }
}

@(
  'Program Files\Cloudbase Solutions\Cloudbase-Init\log\*.log',
  'var\log\kubelet\*.log',
  'var\log\containerd\*.log',
  'var\log\calico\cni\*.log',
  'var\log\pods\kube-system_*\*\*.log',
  'var\log\pods\calico-system_*\*\*.log',
  'cni.log',
  'k\*.log',
  'run\cluster-api\*.log',
  'WindowsAzure\Logs\WaAppAgent.log',
  'Windows\Panther\setupact.log'
) | ForEach-Object { Save-File $_ }

Save-Command 'services.txt' { Get-Service | Sort-Object -Property 'Status' }
Save-Command 'processes.txt' { Get-Process | Sort-Object -Property 'WorkingSet' -Descending | Format-Table 'Id', 'ProcessName', 'CPU', 'WorkingSet' }
Save-Command 'disk.txt' { Get-PSDrive -PSProvider FileSystem }
Save-Command 'memory.txt' { Get-CimInstance -ClassName 'Win32_OperatingSystem' | Format-List 'Version', 'FreePhysicalMemory', 'TotalVisibleMemorySize', 'LastBootUpTime' }
Save-Command 'pagefile.txt' { Get-CimInstance Win32_PageFileUsage }
Save-Command 'clock.txt' { w32tm /query /status }
Save-Command 'updates.txt' { Get-HotFix }
Save-Command 'network-addresses.txt' { ipconfig /allcompartments /all }
Save-Command 'network-interfaces.txt' { Get-NetIPInterface -IncludeAllCompartments }
Save-Command 'network-routes.txt' { Get-NetRoute }
Save-Command 'hns.txt' { hnsdiag list all -d }
Save-Command 'hcs.txt' { hcsdiag list }
Save-Command 'containers.txt' { ctr.exe -n k8s.io containers list }
Save-Command 'tasks.txt' { ctr.exe -n k8s.io tasks list }
Save-Command 'images.txt' { ctr.exe -n k8s.io images list }
Save-Command 'crash-dumps.txt' { Get-ChildItem (Join-Path $Root 'localdumps') }
Save-Command 'events-reboots.txt' {
  Get-WinEvent -FilterHashtable @{ LogName = 'System'; Id = 1074, 1076, 2004, 6005, 6006, 6008 } -MaxEvents 100
}
Save-Command 'events-services.txt' {
  Get-WinEvent -FilterHashtable @{ LogName = 'System'; ProviderName = 'Service Control Manager' } -MaxEvents 300
}
Save-Command 'events-containers.txt' {
  Get-WinEvent -LogName 'Microsoft-Windows-Hyper-V-Compute-Operational' -MaxEvents 300
}
Save-Command 'events-hns.txt' {
  Get-WinEvent -LogName 'Microsoft-Windows-Host-Network-Service-Admin' -MaxEvents 300
}

if (Test-Path $Archive) {
  Remove-Item $Archive -Force
}
Compress-Archive -Path $out -DestinationPath $Archive
Remove-Item $work -Recurse -Force
Write-Output "written: $Archive"
