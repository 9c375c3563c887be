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

# What a secret looks like, the same list as in collect-linux.sh: i (any case) or c, an extended regular expression that sed
# and .NET read alike, and what takes its place. KEY stands for the names in the first line. A value goes to the end of its
# quotes, or to the next space, comma or semicolon; that of a line of YAML, a header or a pass phrase to the end of the line.
$secrets = @'
KEY=(pass(word[do]?|wort|wd|[-_ ]?phrase)|[-_/]pass|[-_]pwd|kennwort|secret|token|(api|access|account|shared|subscription|storage|functions|encryption|master|primary|secondary|signing|private|license|service|admin|auth|session|deploy|vault|registry)[-_]?key|x-[a-z0-9-]*key|client-(key|certificate)-data)
i (KEY\\*["']?[ \t]*[=:]+>?[ \t]*\\+["'])[^\\"']+ => \1REDACTED
i (KEY["']?[ \t]*[=:]+>?[ \t]*")([^"\\]|\\.)+ => \1REDACTED
i (KEY["']?[ \t]*[=:]+>?[ \t]*')[^']+ => \1REDACTED
i (^[ \t-]*[a-z0-9_.-]*KEY:[ \t]+)[^ \t"'{[].* => \1REDACTED
i (pass[-_ ]?phrase["']?[ \t]*[=:]+>?[ \t]*)[^ \t"',;&{[][^"',;&]* => \1REDACTED
i (KEY["']?[ \t]*[=:]+>?[ \t]*)[^ \t"',;&{[][^ \t",;&]* => \1REDACTED
i (--?[a-z-]*KEY[ \t]+")[^"]+ => \1REDACTED
i (--?[a-z-]*KEY[ \t]+')[^']+ => \1REDACTED
i (--?[a-z-]*KEY[ \t]+)[^ \t"'-][^ \t"']* => \1REDACTED
i (certificate-key["'=: \t]+)[0-9a-f]{64} => \1REDACTED
c \b([a-z0-9]{6})\.[a-z0-9]{16}\b => \1.REDACTED
c eyJ[A-Za-z0-9_+/=-]{8,}(\.[A-Za-z0-9_=-]*)* => REDACTED-TOKEN
i (authorization\\*["']?[ \t]*[=:]+[ \t]*\\*["']?[a-z]+[ \t]+)[^ \t"',;\\]+ => \1REDACTED
i (authorization\\*["']?[ \t]*[=:]+[ \t]*\\*["']?)[^ \t"',;\\]+(["'\\]|$) => \1REDACTED\2
i (\bbearer[ \t]+)[a-z0-9._~+/=-]{16,} => \1REDACTED
i (\\*"auth\\*"[ \t]*:[ \t]*\\*")[^"\\]+ => \1REDACTED
i ((set-)?cookie\\*["']?[ \t]*:[ \t]*)[^"']+ => \1REDACTED
i ((^|[?&;" \t]|amp;)sig=)[^& \t"']+ => \1REDACTED
i ((%26|%3F)sig%3D)([A-Za-z0-9+/=-]|%25[0-9A-F]{2}|%2[BF]|%3D)+ => \1REDACTED
i (://[^/@: \t"']*:)[^/ \t"']+@ => \1REDACTED@
i ([;?&"]pwd=)[^ \t"';&]+ => \1REDACTED
i (curl.* (-u|--(proxy-)?user)[ =]["']?[^: \t"']+:)[^ \t"']+ => \1REDACTED
c [A-Za-z0-9+/]{86}== => REDACTED
i (\bsetx(\.exe)? +(/m +)?["']?[a-z0-9_]*KEY["']? +)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
i (\b(docker|podman|nerdctl|helm|oras|az)(\.exe)? +([a-z]+ +)?login( .*)? -p[ =]*)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
i (\bnet1?(\.exe)? +user +("[^"]+"|[^ \t"]+) +)("[^"]+"|[^ \t/&|;>"][^ \t"]*) => \1REDACTED
i (\bnet1?(\.exe)? +use +([^ \t]+ +)?\\\\[^ \t]+ +(/user:[^ \t]+ +)?)("[^"]+"|[^ \t/&|;>"][^ \t"]*) => \1REDACTED
i (\b(psexec(64)?|certutil|winrs|signtool|schtasks)(\.exe)?( .*)? [-/]r?p[ :=]+)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
c (\b(sqlcmd|bcp|osql)(\.exe)?( .*)? -P *)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
c (\b(mysql[a-z]*|sshpass|7z[ar]?)(\.exe)?( .*)? -p)("[^"]+"|'[^']+'|[^ \t"']+) => \1REDACTED
i (ConvertTo-SecureString( +-(AsPlainText|Force|String))* +)("[^"]+"|'[^']+'|[^ \t"'$(-][^ \t"')]*) => \1REDACTED
i ((Network|PS)Credential\(? *["'][^"']*["'] *, *)("[^"]+"|'[^']+') => \1REDACTED
i (<[a-z:]*KEY> *(<value>)?)[^< \t][^<]* => \1REDACTED
i (<value>)[^<]+(</value> *<plaintext>) => \1REDACTED\2
i ((key|name)\\*["']?[ \t]*[=:][ \t]*\\*["']?[a-z0-9_.-]*KEY\\*["']?[ \t,]*\\*["']?value\\*["']?[ \t]*[=:][ \t]*\\*["']?)[^ \t"'\\,}]+ => \1REDACTED
i (\b(password|kennwort|passwort) (is )?["'])[^"']+ => \1REDACTED
i (\b(echo|write-output|printf) +)[^|]+(\|.*-stdin) => \1REDACTED \3
c \b(gh[oprsu]_|github_pat_|gl(pat|rt|dt|ptt)-|xox[a-z]-|dckr_pat_|AKIA|ASIA)[A-Za-z0-9_-]{16,} => REDACTED-TOKEN
i (://)[^/@: \t"']{20,}@ => \1REDACTED@
i ([?&]code=)[^& \t"']{20,} => \1REDACTED
c \b[A-Z0-9]{5}(-[A-Z0-9]{5}){4}\b => REDACTED
c (^|[^A-Za-z0-9+/=])[A-Za-z0-9+/]{43}=($|[^A-Za-z0-9+/=]) => \1REDACTED\2
'@

# Private keys go as a whole: in one line, with the line ends written as \n, and over several lines. If a text begins in the
# middle of a key, as the end of a file may, everything up to the end of that key goes.
$rules = @(
  @('-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----.*-----END [A-Z ]*PRIVATE KEY[A-Z ]*-----', 'REDACTED-KEY', 'None'),
  @('-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----(\\+[rn])+[^"'' \r\n]*', 'REDACTED-KEY', 'None'),
  @('(?s)-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----.*?(-----END [A-Z ]*PRIVATE KEY[A-Z ]*-----|\z)', 'REDACTED-KEY', 'None'),
  @('(?s)\A(?:(?!-----BEGIN ).)*-----END [A-Z ]*PRIVATE KEY[A-Z ]*-----', 'REDACTED-KEY', 'None')
)
foreach ($row in $secrets.Split("`n")) {
  $row = $row.TrimEnd("`r")
  if ($row.StartsWith('KEY=')) {
    $names = $row.Substring(4)
    continue
  }
  $pattern, $by = $row.Substring(2) -split ' => ', 2
  # A pattern of sed sees one line, and ${1} is its \1.
  $pattern = $pattern.Replace('KEY', $names).Replace('[^', '[^\r\n')
  # As for sed, only ASCII is a letter.
  $options = [Text.RegularExpressions.RegexOptions]'Multiline, ECMAScript'
  if ($row[0] -eq 'i') { $options = $options -bor 'IgnoreCase' }
  $rules += , @($pattern, ($by -replace '\\(\d)', '$${$1}'), $options)
}

function Hide-Secrets([string]$Text) {
  foreach ($rule in $rules) {
    $Text = [regex]::Replace($Text, $rule[0], $rule[1], $rule[2])
  }
  return $Text
}

# Lines stay whole until their secrets are hidden: cut in its middle, a secret has no longer its form. Only objects get a width.
function Save-Text([string]$Name, $Text) {
  $items = @($Text | ForEach-Object { if ($_ -is [Management.Automation.ErrorRecord]) { "$_" } else { $_ } })
  if (@($items | Where-Object { $_ -isnot [string] }).Count -gt 0) {
    $items = @(($items | Out-String -Width 4096) -split '\r?\n' | ForEach-Object { $_.TrimEnd() })
  }
  $path = Join-Path $out $Name
  New-Item -ItemType Directory -Path (Split-Path $path) -Force | Out-Null
  [IO.File]::WriteAllText($path, (Hide-Secrets (($items -join "`n") + "`n")))
}

# The whole text of events, of which a table would have the beginning.
function Get-Events([hashtable]$Filter, [int]$Most) {
  Get-WinEvent -FilterHashtable $Filter -MaxEvents $Most |
    ForEach-Object { '{0:s} {1} {2} {3}: {4}' -f $_.TimeCreated, $_.Id, $_.LevelDisplayName, $_.ProviderName, $_.Message }
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
    Save-Text (Join-Path 'files' $relative) (Get-Content -LiteralPath $file.FullName -Tail $lines 2>&1)
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

Save-Command 'services.txt' { Get-Service | Sort-Object -Property 'Status' | Format-Table -AutoSize }
Save-Command 'processes.txt' { Get-Process | Sort-Object -Property 'WorkingSet' -Descending | Format-Table 'Id', 'ProcessName', 'CPU', 'WorkingSet' -AutoSize }
Save-Command 'disk.txt' { Get-PSDrive -PSProvider FileSystem | Format-Table -AutoSize }
Save-Command 'memory.txt' { Get-CimInstance -ClassName 'Win32_OperatingSystem' | Format-List 'Version', 'FreePhysicalMemory', 'TotalVisibleMemorySize', 'LastBootUpTime' }
Save-Command 'pagefile.txt' { Get-CimInstance Win32_PageFileUsage }
Save-Command 'clock.txt' { w32tm /query /status }
Save-Command 'updates.txt' { Get-HotFix | Format-Table -AutoSize }
Save-Command 'network-addresses.txt' { ipconfig /allcompartments /all }
Save-Command 'network-interfaces.txt' { Get-NetIPInterface -IncludeAllCompartments | Format-Table -AutoSize }
Save-Command 'network-routes.txt' { Get-NetRoute | Format-Table -AutoSize }
Save-Command 'hns.txt' { hnsdiag list all -d }
Save-Command 'hcs.txt' { hcsdiag list }
Save-Command 'containers.txt' { ctr.exe -n k8s.io containers list }
Save-Command 'tasks.txt' { ctr.exe -n k8s.io tasks list }
Save-Command 'images.txt' { ctr.exe -n k8s.io images list }
Save-Command 'crash-dumps.txt' { Get-ChildItem (Join-Path $Root 'localdumps') }
Save-Command 'events-reboots.txt' {
  Get-Events @{ LogName = 'System'; Id = 1074, 1076, 2004, 6005, 6006, 6008 } 100
}
Save-Command 'events-services.txt' {
  Get-Events @{ LogName = 'System'; ProviderName = 'Service Control Manager' } 300
}
Save-Command 'events-containers.txt' {
  Get-Events @{ LogName = 'Microsoft-Windows-Hyper-V-Compute-Operational' } 300
}
Save-Command 'events-hns.txt' {
  Get-Events @{ LogName = 'Microsoft-Windows-Host-Network-Service-Admin' } 300
}

if (Test-Path $Archive) {
  Remove-Item $Archive -Force
}
Compress-Archive -Path $out -DestinationPath $Archive
Remove-Item $work -Recurse -Force
Write-Output "written: $Archive"
