# Tells containerd where the hosts.toml of each registry is. On Windows it looks nowhere by itself.
$ErrorActionPreference = 'Stop'
$config = Join-Path $env:ProgramFiles 'containerd\config.toml'
$line = "config_path = '" + (Join-Path $env:ProgramData 'containerd\certs.d') + "'"
$text = [IO.File]::ReadAllText($config)

$set = '(?m)^\s*config_path\s*=\s*[''"][^''"]'
$empty = '(?m)^\s*config_path\s*=\s*(''''|"")'
$table = '(?m)^\s*\[plugins\.[''"]io\.containerd\.(grpc\.v1\.cri|cri\.v1\.images)[''"]\.registry\]'
if ($text -match $set) {
    Write-Output "$config has a config_path already and stays as it is."
    exit 0
} elseif ($text -match $empty) {
    $text = $text -replace $empty, $line
} elseif ($text -match $table) {
    $text = $text -replace $table, "`$0`n$line"
} else {
    # The name of the plug-in is another one in containerd 2, whose configuration has version 3.
    $plugin = 'io.containerd.grpc.v1.cri'
    if ($text -match '(?m)^\s*version\s*=\s*3\b') {
        $plugin = 'io.containerd.cri.v1.images'
    }
    $text = "$text`n[plugins.'$plugin'.registry]`n$line`n"
}
[IO.File]::WriteAllText($config, $text)
Write-Output "$config has $line"
