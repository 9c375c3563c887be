# Runs the steps in $env:STEPS, each a name and an argument, separated by semicolons. Each step writes one line of JSON,
# which packages/probe/results.ts reads. Needs Windows PowerShell 5.1 and curl.exe, which Server Core and every host have.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

function Write-Result($Step, $Argument, $Fields) {
  $result = @{ step = $Step; argument = "$Argument" } + $Fields
  [Console]::Out.WriteLine((ConvertTo-Json -InputObject $result -Compress -Depth 5))
  [Console]::Out.Flush()
}

function Get-Milliseconds { [DateTimeOffset]::UtcNow.ToUnixTimeMilliseconds() }

# curl.exe writes errors to its output: in Windows PowerShell, a program that writes to standard error ends the script.
function Invoke-Curl { "$(& curl.exe -sS --stderr '-' $args)".Trim() }

# Waits first for as many seconds as the argument says.
function Get-Adapters($Seconds) {
  if ($Seconds) { Start-Sleep -Seconds ([int]$Seconds) }
  $addresses = @(Get-NetIPAddress -AddressFamily IPv4 -ErrorAction SilentlyContinue)
  $adapters = @(Get-NetIPInterface -AddressFamily IPv4 | ForEach-Object {
      $index = $_.InterfaceIndex
      @{
        name      = "$($_.InterfaceAlias)"
        mtu       = [int64]$_.NlMtu
        state     = "$($_.ConnectionState)"
        addresses = @($addresses | Where-Object { $_.InterfaceIndex -eq $index } | ForEach-Object { "$($_.IPAddress)" })
      }
    })
  @{ adapters = $adapters }
}

function Get-Addresses($Name) {
  $found = @([System.Net.Dns]::GetHostAddresses($Name) | Where-Object { "$($_.AddressFamily)" -eq 'InterNetwork' })
  @{ addresses = "$found" }
}

function Test-Open($Target) {
  $name, $port = $Target -split ':', 2
  $client = [System.Net.Sockets.TcpClient]::new()
  $open = $false
  try { $open = $client.ConnectAsync($name, [int]$port).Wait(5000) } catch { $open = $false } finally { $client.Close() }
  @{ open = $open }
}

# The answer to packets of this size, with the headers of IP and ICMP, that must not be fragmented. A lost packet is sent
# again. The names of .NET's IPStatus are the same in every language of Windows, and the texts of ping.exe are not.
function Get-PacketStatus($Address, $Size) {
  $ping = [System.Net.NetworkInformation.Ping]::new()
  $options = [System.Net.NetworkInformation.PingOptions]::new(64, $true)
  $data = [byte[]]::new($Size - 28)
  $status = ''
  foreach ($attempt in 1..3) {
    $status = "$($ping.Send($Address, 2000, $data, $options).Status)"
    if ($status -eq 'Success' -or $status -eq 'PacketTooBig') { break }
  }
  $status
}

function Get-Sizes($Address) {
  $low = 576
  $high = 1501
  $status = Get-PacketStatus $Address $low
  $sizes = @(, @($low, $status))
  if ($status -eq 'Success') {
    while ($high - $low -gt 1) {
      $middle = [int][Math]::Floor(($low + $high) / 2)
      $status = Get-PacketStatus $Address $middle
      $sizes += , @($middle, $status)
      if ($status -eq 'Success') { $low = $middle } else { $high = $middle }
    }
  }
  @{ sizes = $sizes }
}

function Send-Megabyte($Url) {
  $file = Join-Path $env:TEMP 'probe-megabyte.bin'
  [System.IO.File]::WriteAllBytes($file, [byte[]]::new(1048576))
  $began = Get-Milliseconds
  $sent = Invoke-Curl -m 60 -H 'Expect:' -H 'Content-Type: application/octet-stream' --data-binary "@$file" $Url
  $received = Invoke-Curl -m 60 -o NUL -w '%{size_download}' "$Url/megabyte"
  @{ sent = $sent; received = $received; ms = (Get-Milliseconds) - $began }
}

function Get-Answer($Url) {
  $answer = ''
  foreach ($attempt in 1..5) {
    $answer = Invoke-Curl -m 10 $Url
    if ($LASTEXITCODE -eq 0) { break }
    Start-Sleep -Seconds 3
  }
  @{ answer = $answer }
}

function Get-Clock($Url) {
  $before = Get-Milliseconds
  $headers = & curl.exe -sk -m 20 -o NUL --dump-header '-' $Url
  $after = Get-Milliseconds
  $date = "$($headers | Where-Object { $_ -match '^date: ' } | Select-Object -First 1)" -replace '^date: ', ''
  @{ before = $before; after = $after; date = $date.Trim() }
}

# Answers GET with the text that packages/probe/objects.ts expects, GET /megabyte with a megabyte, and POST with the number of bytes
# that it has read.
function Start-Server($Text) {
  $listener = [System.Net.HttpListener]::new()
  $listener.Prefixes.Add('http://+:8080/')
  $listener.Start()
  Write-Result 'serve' $Text @{ ready = $true }
  $buffer = [byte[]]::new(65536)
  while ($true) {
    try {
      $context = $listener.GetContext()
      $count = 0
      do {
        $read = $context.Request.InputStream.Read($buffer, 0, $buffer.Length)
        $count += $read
      } while ($read -gt 0)
      $body = [System.Text.Encoding]::ASCII.GetBytes($Text)
      if ($context.Request.HttpMethod -eq 'POST') { $body = [System.Text.Encoding]::ASCII.GetBytes("$count") }
      if ($context.Request.Url.AbsolutePath -like '*/megabyte') { $body = [byte[]]::new(1048576) }
      $context.Response.ContentLength64 = $body.Length
      $context.Response.OutputStream.Write($body, 0, $body.Length)
      $context.Response.Close()
    } catch {
      # One client that has gone must not end the server for the others.
      [Console]::Out.WriteLine("serve: $($_.Exception.Message)")
    }
  }
}

foreach ($each in $env:STEPS -split ';') {
  $step, $argument = $each.Trim() -split ' ', 2
  try {
    switch ($step) {
      'adapters' { Write-Result $step $argument (Get-Adapters $argument) }
      'names' { Write-Result $step $argument (Get-Addresses $argument) }
      'refused' { Write-Result $step $argument (Test-Open $argument) }
      'packets' { Write-Result $step $argument (Get-Sizes $argument) }
      'transfer' { Write-Result $step $argument (Send-Megabyte $argument) }
      'service' { Write-Result $step $argument (Get-Answer $argument) }
      'clock' { Write-Result $step $argument (Get-Clock $argument) }
      'write' {
        [System.IO.File]::WriteAllText('C:\data\probe.txt', $argument)
        Write-Result $step $argument @{ text = [System.IO.File]::ReadAllText('C:\data\probe.txt') }
      }
      'read_back' { Write-Result $step $argument @{ text = [System.IO.File]::ReadAllText('C:\data\probe.txt') } }
      'restart' {
        # Time for this pod to end, and for its log to be read, before the node goes.
        & shutdown.exe /r /t 30
        Write-Result $step $argument @{ code = $LASTEXITCODE }
      }
      'serve' { Start-Server $argument }
      default { Write-Result $step $argument @{ error = 'this step does not exist on Windows' } }
    }
  } catch {
    Write-Result $step $argument @{ error = "$($_.Exception.Message)" }
  }
}
