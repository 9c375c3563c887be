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

# What a secret looks like, the same list as in collect-linux.sh. Each row is a pattern that sed and .NET read alike, for any case (i)
# or not (c), and what takes its place; n hides the line after the one that ends so. Words in capitals stand for the first rows. What
# follows the name of a secret, or a program that takes one, is hidden to the end of its quotes or of the line: too much rather than
# too little. The last rows hide what has letters in both cases and digits, and is no word.
$secrets = @'
PASS=(pass(w(or)?d|wor[dt]|phrase|code|[-_ ](word|phrase))|pwd|(bind|root)_?pw|kennwort|contrase|mot[-_ ]de[-_ ]passe|bearer|cookie|authorization|identified +by)
KEY=(secret|token|credential|signature|communit(y|ies)|[a-z0-9][-_]?key|(access|account|api|certificate|encryption|master|private|product|recovery) key|client-certificate-data|connection[-_ ]?string|key[-_]?material|protectedsettings|commandtoexecute)
SHORT=(pass|pw|pat|psk|creds?|auth|sas|sig|rp)
RUN=(setx|cmdkey|netdom|net1?(\.exe)? +user?|schtasks|psexec(64)?|winrs|wmic|certutil|certreq|signtool|slmgr(\.vbs)?|dism|reg(\.exe)? +add|(new|set)-itemproperty|sqlcmd|bcp|[io]sql|sqlplus|rman|(exp|imp)dp|mysql[a-z]*|mariadb[a-z-]*|mongo[a-z]*|redis-[a-z]+|ldap[a-z]+|smb(client|get)|rpcclient|sshpass|plink|[xw]freerdp|rdesktop|7z[arz]?|(un)?(zip|rar)|gpg|openssl|keytool|pvk2pfx|htpasswd|user(add|mod)|ipmitool|openconnect|twine|vmrun|nuget|wpa_passphrase|user-secrets|setapikey|snmp[a-z-]*|r[ow]community6?|com2sec6?|nssm +set|ssh-keygen|rclone|pulumi +config|(keyvault|create) +secret|vault +(kv|write|token)|login)
READ=(-stdin|--passphrase-fd|--with-token|sudo .{0,60}-S |chpasswd|kinit|runas|smbpasswd|cryptsetup|<<<|secret +create|ConvertTo-SecureString|SetEnvironmentVariable|credential\(|(network|ps)credential)
n ((PASS|KEY|SHORT)[a-z0-9_-]{0,40}\\*["']?[ \t]*[=:>]+[ \t]*([|>][-+0-9]*[ \t]*)?|name\\*["']?[ \t]*[=:][ \t]*["']?[a-z0-9_.-]{0,40}(PASS|KEY|SHORT)[a-z0-9_-]{0,40}["']?,?[ \t]*|ValidCommunities[ \t]*)
i (://)[^/ \t"']+@ => \1REDACTED@
i (://[^/@: \t"']{0,200}:)[^0-9/ \t"'@][^ \t"'@]{0,200}@ => \1REDACTED@
i (webhook[a-z0-9.]{0,40}/)[^ \t"']+ => \1REDACTED
i (jdbc:[a-z0-9]+:).+ => \1REDACTED
i READ => \x05\1
c ^[^|\x05]*\|[^\x05]*\x05.* => REDACTED
i \x05READ.* => \1 REDACTED
i ([^ \t][?]|%3F|\\u003f)[^ \t"'<>]+ => \1REDACTED
i (^|[^a-z0-9])(RUN(\.exe)?\\*["']?[ \t,]+).+ => \1\2REDACTED
i (["']-p\\*["'],[ \t]*\\*["'])[^"'\\]+ => \1REDACTED
i (PASS[a-z0-9_-]{0,40}\\*["']?[ \t]*[=:>]*[ \t]*).+ => \1REDACTED
i ((^|[ \t"'(])-([a-z-]{0,40}(user|creds)[ \t=]|u)[ \t=]*["']?[^ \t:%"'/]+[:%]).+ => \1REDACTED
i (KEY[a-z0-9_.-]{0,40}["']?[ \t]*[=:>]+[ \t]*")([^"\\]|\\.|"")+ => \1REDACTED
i (KEY[a-z0-9_.-]{0,40}["']?[ \t]*[=:>]+[ \t]*')([^']|'')+ => \1REDACTED
i (KEY[a-z0-9_.-]{0,40}\\*["']?[ \t]*[=:>]+[ \t]*)[^ \t"'{[].* => \1REDACTED
i ((^|[ \t"'([])[-/][a-z-]{0,40}(KEY[a-z-]{0,40}|SHORT)([ \t:]+|\\*["'],[ \t]*\\*["']?)).+ => \1REDACTED
i ((^|[^a-z0-9_.-])key[ \t]*=[ \t]*)[^ \t"'/(){},;]{0,80}[0-9][^ \t"']* => \1REDACTED
c ((^|[^A-Za-z0-9_.-])[Kk][Ee][Yy][ \t]*=[ \t]*["'])([^ "'/]{0,80}[A-Z][^ "'/]{0,80}[0-9]|[^ "'/]{0,80}[0-9][^ "'/]{0,80}[A-Z])[^"']* => \1REDACTED
i ((KEY|SHORT)\\*["'][ \t,]*\\*["']?value\b).+ => \1REDACTED
i (_KEY[ \t]+).+ => \1REDACTED
i (KEY[a-z]{0,20}[ \t\\"']{1,4})((is|was|value)[ \t].+|([0-9]|[^ \t:=][^ \t]{0,200}[0-9]).*) => \1REDACTED
i (^|[^a-z])(SHORT\\*["']?[ \t]*[=:]+>?[ \t]*).+ => \1\2REDACTED
c ([a-z](Pass|Pw|Pat)["']?[ \t]*[=:]+[ \t]*).+ => \1REDACTED
i (<value>)[^<]+ => \1REDACTED
i (value\\*["'][ \t]*:[ \t]*\\*["'])[^"'\\]+ => \1REDACTED
c \b([a-z0-9]{6})\.[a-z0-9]{16}\b => \1.REDACTED
c eyJ[A-Za-z0-9_+/=-]{8,}(\.[A-Za-z0-9_=-]*)* => REDACTED
c (AKIA|ASIA|AIza|hv[sbr]\.|AGE-SECRET-|hf_|pul-|do[opr]_v1_|dapi|rubygems_|shp[a-z]{2}_|gl[a-z]{2,5}-|gh[a-z]_|npm_|xox[a-z]-|sk[-_])[A-Za-z0-9_-]{16,} => REDACTED
c \$(1|2[abxy]|5|6|7|y|apr1)\$[^ \t"']+ => REDACTED
i \b[a-z0-9]{5}(-[a-z0-9]{5}){4}\b => REDACTED
c (^|[^A-Za-z0-9+/=])[A-Za-z0-9+/]{43}=($|[^A-Za-z0-9+/=]) => \1REDACTED\2
c [A-Za-z0-9+/]{86}== => REDACTED
c ([A-Za-z0-9]{16,}) => \x02\1\x03
c \x02([a-z0-9]*|[A-Z0-9]*|[A-Za-z]*|[A-Z]*[a-z]*([A-Z][a-z]+)*[0-9]*[a-z]{0,4})\x03 => \1
c [A-Za-z0-9+/_~-]{0,200}\x02[^\x03]*\x03[A-Za-z0-9+/_~=\x02\x03-]* => REDACTED
'@

# Private keys go as a whole: in one line, with the line ends written as \n, and over several lines. If a text begins in the
# middle of a key, as the end of a file may, everything up to the end of that key goes.
$keys = @(
  @('-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----.*-----END [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----', 'REDACTED-KEY', 'None'),
  @('-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----(\\+[rn])+[^"'' \n]*', 'REDACTED-KEY', 'None'),
  @('(?s)-----BEGIN [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----.*?(-----END [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----|\z)', 'REDACTED-KEY', 'None'),
  @('(?s)\A(?:(?!-----BEGIN ).)*-----END [A-Z ]{0,30}PRIVATE KEY[A-Z ]{0,30}-----', 'REDACTED-KEY', 'None')
)
$words = @{}
$rules = @()
foreach ($row in $secrets.Split("`n")) {
  $row = $row.TrimEnd("`r")
  if ($row -cmatch '^([A-Z]+)=(.*)') {
    $words[$Matches[1]] = $Matches[2]
    continue
  }
  $pattern, $by = $row.Substring(2) -split ' => ', 2
  foreach ($name in $words.Keys) { $pattern = $pattern.Replace($name, $words[$name]) }
  # A pattern of sed sees one line, and ${1} is its \1. As for sed, only ASCII is a letter.
  $pattern = $pattern.Replace('[^', '[^\n')
  # Without regard to case, .NET takes the Kelvin sign for a k; for sed it is no letter.
  if ($row[0] -cne 'c') { $pattern = $pattern -creplace '(\[\^[^\]]*a-z)([^\]]*\])', '(?-i:$1A-Z$2)' }
  $options = [Text.RegularExpressions.RegexOptions]'Multiline, ECMAScript'
  if ($row[0] -cne 'c') { $options = $options -bor 'IgnoreCase' }
  if ($row[0] -ceq 'n') {
    $rules += , @("($pattern)\n(?!\z)(?!.*-----).*", ('${1}' + [char]4), $options)
    $rules += , @("($pattern)\n(?=.*-----)", '${1} ', $options)
    $rules += $keys
    continue
  }
  $by = [regex]::Replace($by, '\\x(\d\d)', { [string][char][int]$args[0].Groups[1].Value })
  $rules += , @($pattern, ($by -replace '\\(\d)', '$${$1}'), $options)
}
$rules += , @('\x04', "`nREDACTED", 'None')

# Control characters go first: some of them are marks.
function Hide-Secrets([string]$Text) {
  $Text = $Text -replace '[\x00-\x08\x0b-\x1f\x7f]', '' -replace '(?m)^.{16001,}$', '(a line of more than 16,000 characters)'
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

# A container may make links in a folder of the node that it mounts.
function Test-Link([string]$Path) {
  for (; $Path.Length -gt $Root.Length; $Path = [IO.Path]::GetDirectoryName($Path)) {
    if ([IO.File]::GetAttributes($Path) -band [IO.FileAttributes]::ReparsePoint) { return $true }
  }
  return $false
}

function Save-File([string]$Pattern) {
  foreach ($file in (Get-Item -Path (Join-Path $Root $Pattern) -ErrorAction SilentlyContinue)) {
    if (Test-Link $file.FullName) { continue }
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
