# Gives a service an HTTP proxy, and Windows itself. The service has to be restarted after it.
# -NoProxy is a list with commas for programs in Go, -Direct one with semicolons for WinHTTP, which knows no networks.
param(
    [Parameter(Mandatory = $true)][string]$Service,
    [Parameter(Mandatory = $true)][string]$Proxy,
    [Parameter(Mandatory = $true)][string]$NoProxy,
    [Parameter(Mandatory = $true)][string]$Direct
)
$ErrorActionPreference = 'Stop'

$variables = [ordered]@{ HTTP_PROXY = $Proxy; HTTPS_PROXY = $Proxy; NO_PROXY = $NoProxy }
foreach ($name in $variables.Keys) {
    [Environment]::SetEnvironmentVariable($name, $variables[$name], 'Machine')
}

# Services see the machine's variables only after the next boot, and their own at each start.
$lines = @($variables.Keys | ForEach-Object { "$_=$($variables[$_])" })
$key = "HKLM:\SYSTEM\CurrentControlSet\Services\$Service"
New-ItemProperty -LiteralPath $key -Name Environment -PropertyType MultiString -Value $lines -Force | Out-Null

# Authority leaves out the port if it is the default one of the scheme, and WinHTTP would take port 80 for any.
$uri = [Uri]$Proxy
if (-not $uri.Host) { throw "The proxy $Proxy names no host." }
$address = "$($uri.Host):$($uri.Port)"
netsh winhttp set proxy "proxy-server=$address" "bypass-list=<local>;$Direct"
if ($LASTEXITCODE -ne 0) { throw "netsh did not give Windows the proxy ${address}: exit code $LASTEXITCODE." }
Write-Output "$Service and Windows use the proxy $address."
