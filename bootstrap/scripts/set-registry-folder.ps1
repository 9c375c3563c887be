# Tells containerd where the hosts.toml of each registry is. On Windows it looks nowhere by itself.
$ErrorActionPreference = 'Stop'
$config = Join-Path $env:ProgramFiles 'containerd\config.toml'
$imported = Join-Path $env:ProgramFiles 'containerd\conf.d'
$value = "'" + (Join-Path $env:ProgramData 'containerd\certs.d') + "'"
$line = "config_path = $value"
$word = [regex]'#[^\n]*|"""[\s\S]*?"""|''''''[\s\S]*?''''''|"(?:[^"\\\n]|\\.)*"|''[^''\n]*''|\n|[\[\]{}=,.]|[^\s\[\]{}=,.#"'']+'

# A key: words with dots, up to = or ].
function Read-Key {
    $key = @()
    while ($words[$script:at].Value -notin '=', ']', "`n") {
        if ($words[$script:at].Value -ne '.') { $key += $words[$script:at].Value.Trim('"', "'") }
        $script:at++
    }
    return , $key
}

# A value and, where it is a table in braces, its keys.
function Read-Value([string[]]$key, [string[]]$table, [int]$start) {
    $entry = @{ Key = $key -join '/'; Table = $table -join '/'; Start = $start; Value = $words[$script:at]; Text = '' }
    $null = $found.Add($entry)
    $depth = 0
    do {
        $last = $words[$script:at].Value
        $script:at++
        $entry.Text += $last
        if ($last -in '[', '{') { $depth++ }
        if ($last -in ']', '}') { $depth-- }
        if ($entry.Value.Value -eq '{' -and $depth -eq 1 -and $last -in '{', ',' -and $words[$script:at].Value -ne '}') {
            $inner = Read-Key
            $script:at++
            Read-Value ($key + $inner) $null -1
        }
    } while ($script:at -lt $words.Count -and ($depth -gt 0 -or $words[$script:at].Value -notin ',', '}', "`n"))
}

# Each table and key of a configuration by its whole path, with its place in the text.
function Read-Toml([string]$text) {
    $words = @($word.Matches("$text`n") | Where-Object { $_.Value[0] -ne '#' })
    $found = New-Object System.Collections.ArrayList
    $table = @()
    $script:at = 0
    while ($script:at -lt $words.Count) {
        $first = $words[$script:at]
        if ($first.Value -eq '[') {
            while ($words[$script:at].Value -eq '[') { $script:at++ }
            $table = Read-Key
            $null = $found.Add(@{ Key = $table -join '/'; Header = $words[$script:at].Index + 1 })
            while ($words[$script:at].Value -eq ']') { $script:at++ }
        } elseif ($first.Value -eq "`n") {
            $script:at++
        } else {
            $key = Read-Key
            $script:at++
            Read-Value ($table + $key) $table $first.Index
        }
    }
    return $found
}

$text = [IO.File]::ReadAllText($config)
$found = @(Read-Toml $text)
# The name of the plug-in is another one in containerd 2, whose configuration has version 3.
$version = ($found | Where-Object { $_.Key -eq 'version' }).Text
$plugin = 'io.containerd.grpc.v1.cri'
if ($version -eq '3') { $plugin = 'io.containerd.cri.v1.images' }
$registry = "plugins/$plugin/registry"
$set = $found | Where-Object { $_.Key -eq "$registry/config_path" } | Select-Object -First 1
if ($set -and $set.Text.Trim('"', "'")) {
    Write-Output "$config has a config_path already and stays as it is."
    exit 0
}
if ($found | Where-Object { "$($_.Key)/".StartsWith("$registry/mirrors/") }) {
    # containerd refuses the two together (ValidateImageConfig), and then has no image service at all.
    Write-Output "$config has registry.mirrors, beside which containerd takes no config_path: it stays as it is, and the mirror of the stack is not used."
    exit 1
}

# containerd 2 merges imported files key by key. Version 1 would take the plug-in's whole table from the last file.
$imports = ($found | Where-Object { $_.Key -eq 'imports' }).Text
if ($version -eq '3' -and $imports -match 'conf\.d[\\/]+\*\.toml') {
    $config = Join-Path $imported 'capz-windows.toml'
    New-Item -ItemType Directory -Force -Path $imported | Out-Null
    [IO.File]::WriteAllText($config, "version = 3`n[plugins.'$plugin'.registry]`n$line`n")
    Write-Output "$config has $line"
    exit 0
}

# A key from a table on: plugins.'io.containerd.grpc.v1.cri'.registry.config_path
function Get-KeyFrom([string]$table) {
    $rest = "$registry/config_path".Substring($table.Length).TrimStart('/')
    return ($rest.Split('/') | ForEach-Object { if ($_ -match '\.') { "'$_'" } else { $_ } }) -join '.'
}

$braces = $found | Where-Object { $_.Text -like '{*' -and "$registry/".StartsWith("$($_.Key)/") } | Select-Object -Last 1
$header = $found | Where-Object { $_.Header -and $_.Key -eq $registry } | Select-Object -First 1
$dotted = $found | Where-Object { $_.Value -and $_.Key.StartsWith("$registry/") -and -not "$($_.Table)/".StartsWith("$registry/") } | Select-Object -First 1
if ($set) {
    $text = $text.Remove($set.Value.Index, $set.Value.Length).Insert($set.Value.Index, $value)
} elseif ($braces) {
    $others = $found | Where-Object { $_.Key.StartsWith("$($braces.Key)/") }
    $text = $text.Insert($braces.Value.Index + 1, " $(Get-KeyFrom $braces.Key) = $value$(if ($others) { ',' })")
} elseif ($header) {
    $text = $text.Insert($header.Header, "`n$line")
} elseif ($dotted) {
    # TOML lets nobody add a table of a name that keys with dots have made.
    $text = $text.Insert($dotted.Start, "$(Get-KeyFrom $dotted.Table) = $value`n")
} else {
    $text = "$text`n[plugins.'$plugin'.registry]`n$line`n"
}
[IO.File]::WriteAllText($config, $text)
Write-Output "$config has $line"
