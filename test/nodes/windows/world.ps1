# Runs scripts for Windows nodes with fakes of Windows: world.ps1 [FOLDER]
#
# Each line of standard input is a request in JSON (powershell.ts), each line of standard output its result. FOLDER has
# windows-powershell-5.1.tsv: fakes refuse parameters that the command of 5.1 does not have. Without it they take any.
using namespace System.Management.Automation.Language
param([string]$Facts)

$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$utf8 = [Text.UTF8Encoding]::new($false)
$answersTo = [IO.StreamWriter]::new([Console]::OpenStandardOutput(), $utf8)
$requests = [IO.StreamReader]::new([Console]::OpenStandardInput(), $utf8)

# What images bring along: hns.psm1 of microsoft/SDN, Kubernetes/windows.
$global:Parameters = @{
    'Get-HnsNetwork'   = 'Id', 'Detailed', 'Version'
    'New-HnsNetwork'   = 'JsonString', 'Type', 'Name', 'AddressPrefix', 'Gateway', 'SubnetPolicies', 'IPv6', 'DNSServer', 'AdapterName', 'AdditionalParams', 'NetworkSpecificParams'
    'Remove-HnsNetwork' = , 'InputObjects'
}
$common = 'Verbose', 'Debug', 'ErrorAction', 'WarningAction', 'InformationAction', 'ErrorVariable', 'WarningVariable', 'InformationVariable', 'OutVariable', 'OutBuffer', 'PipelineVariable'
if ($Facts) {
    foreach ($row in [IO.File]::ReadLines((Join-Path $Facts 'windows-powershell-5.1.tsv'))) {
        if ($row.StartsWith('#')) { continue }
        $name, $null, $null, $takesCommon, $known = $row.Split("`t")
        $global:Parameters[$name] = @($known.Split(' ')) + @(if ($takesCommon -eq 'yes') { $common })
    }
}

# The machine's variables do not exist on Linux.
class WorldEnvironment {
    static [void] SetEnvironmentVariable([string]$name, [string]$value, [string]$target) {
        Add-WorldCall "SetEnvironmentVariable $(Format-WorldValue $name) $(Format-WorldValue $value) $target"
    }
}

# A path that answers packets up to a size; the one after that is too big, or lost.
class WorldPing {
    [object] Send([string]$address, [int]$timeout, [byte[]]$data, [object]$options) {
        Add-WorldCall "Ping $address $timeout $($data.Length) ttl $($options.Ttl) $(if ($options.DontFragment) { 'whole' } else { 'fragments' })"
        $answer = Get-WorldAnswer 'Ping' "Ping $($data.Length)"
        if ($null -eq $answer) { return @{ Status = 'Success' } }
        if ($answer.error) { throw $answer.error }
        return @{ Status = $answer.out[0] }
    }
}

function global:Format-WorldValue($value) {
    if ($null -eq $value) { return '$null' }
    if ($value -is [bool]) { return "`$$value".ToLower() }
    if ($value -is [datetime]) { return $value.ToString('s') }
    if ($value -is [Collections.IDictionary]) {
        return '@{' + ((@($value.Keys) | Sort-Object | ForEach-Object { "$_ = $(Format-WorldValue $value[$_])" }) -join '; ') + '}'
    }
    if ($value -is [array]) { return (@($value | ForEach-Object { Format-WorldValue $_ }) -join ',') }
    if ($value.PSObject.Properties['Call']) { return "($($value.Call))" }
    if ($value -is [Management.Automation.PSCustomObject]) { return (ConvertTo-Json -InputObject $value -Compress -Depth 5) }
    $text = "$value".Replace($global:World.root, 'C:')
    if ($text -match '^[^\s'',;]+$') { return $text }
    return "'$text'"
}

# The arguments as the script wrote them. Those of a splatted table have no order of their own: by name.
function global:Format-WorldArguments([object[]]$given) {
    $words = [Collections.Generic.List[string]]::new()
    $splatted = [Collections.Generic.List[string]]::new()
    for ($i = 0; $i -lt $given.Count; $i++) {
        $name = "$($given[$i])"
        $isName = $null -ne $given[$i] -and $given[$i].PSObject.Properties['<CommandParameterName>']
        if ($isName -and $name.EndsWith(':')) {
            $i++
            $value = Format-WorldValue $given[$i]
            $splatted.Add($(if ($given[$i] -is [bool]) { "$name$value" } else { "$($name.TrimEnd(':')) $value" }))
            continue
        }
        if ($splatted.Count) { $words.AddRange([string[]]@($splatted | Sort-Object)); $splatted.Clear() }
        $words.Add($(if ($isName) { $name } else { Format-WorldValue $given[$i] }))
    }
    if ($splatted.Count) { $words.AddRange([string[]]@($splatted | Sort-Object)) }
    return ($words -join ' ')
}

function global:Add-WorldCall([string]$call) { $global:World.calls.Add($call) }

# The next answer of the longest key that is the command or its beginning; the last answer of a key stays.
function global:Get-WorldAnswer([string]$name, [string]$call) {
    $key = @($global:World.answers.Keys | Where-Object { $_ -eq $name -or $_ -ceq $call -or $call.StartsWith("$_ ") } | Sort-Object { $_.Length } -Descending)[0]
    if ($null -eq $key) { return $null }
    $left = $global:World.answers[$key]
    if ($left.Count -eq 0) { return $null }
    $answer = $left[0]
    if ($left.Count -gt 1) { $left.RemoveAt(0) }
    return $answer
}

function global:Assert-WorldParameters([string]$name, [object[]]$given) {
    $known = $global:Parameters[$name]
    if (-not $known) { return }
    foreach ($one in $given) {
        $parameter = if ($null -ne $one) { $one.PSObject.Properties['<CommandParameterName>'] }
        if ($parameter -and -not ($known -like "$($parameter.Value)*")) { throw "in Windows PowerShell 5.1 $name has no parameter -$($parameter.Value)" }
    }
}

function global:Invoke-WorldCommand([string]$name, [object[]]$given) {
    Assert-WorldParameters $name $given
    # A program gets each item of a list as a word of its own.
    if ($name -notmatch '^[A-Za-z]+-[A-Za-z]+$') { $given = @($given | ForEach-Object { $_ }) }
    $call = "$name $(Format-WorldArguments $given)".Trim()
    Add-WorldCall $call
    return @{ call = $call; answer = Get-WorldAnswer $name $call }
}

# The body of each fake; NAME is what the script calls, SHOWN how it is told.
$fake = @'
$told = Invoke-WorldCommand 'SHOWN' $args
$answer = $told.answer
if ($null -eq $answer) { return }
if ($null -ne $answer.code) { $global:LASTEXITCODE = [int]$answer.code }
foreach ($one in $answer.out) { if ($one -is [Management.Automation.PSCustomObject] -and $one.PSObject.Properties['Call']) { [pscustomobject]@{ Call = $told.call } } else { $one } }
if ($answer.real) { & (Get-Command -Name 'NAME' -CommandType Cmdlet) @args }
if ($answer.archive) { $null = New-Item -ItemType File -Path $args[3]; Copy-Item -Recurse -Path $args[1] -Destination "$($args[3]).unpacked" }
if ($answer.throw) { throw $answer.throw }
$quiet = $false
for ($i = 1; $i -lt $args.Count; $i++) { if ("$($args[$i - 1])" -eq '-ErrorAction' -and "$($args[$i])" -in 'SilentlyContinue', 'Ignore') { $quiet = $true } }
if ($answer.error -and -not $quiet) { Write-Error -Message $answer.error }
'@

# What reaches into Windows without a command.
function ConvertTo-Faked([string]$text) {
    $tokens = $errors = $null
    $tree = [Parser]::ParseInput($text, [ref]$tokens, [ref]$errors)
    if ($errors) { throw "line $($errors[0].Extent.StartLineNumber): $($errors[0].Message)" }
    $statics = $tree.FindAll({ $args[0] -is [MemberExpressionAst] -and $args[0].Static }, $true)
    foreach ($it in $statics | Sort-Object { $_.Extent.StartOffset } -Descending) {
        $type = $it.Expression.Extent
        # The clock is a value, the others are classes.
        $place, $new = switch -Regex ("$($type.Text)::$($it.Member)") {
            '^\[datetime\]::UtcNow$' { $it.Extent, '$global:World.Now' }
            '^\[DateTimeOffset\]::UtcNow$' { $it.Extent, '([DateTimeOffset]$global:World.Now)' }
            '^\[Environment\]::SetEnvironmentVariable$' { $type, '[WorldEnvironment]' }
            '^\[System\.Net\.NetworkInformation\.Ping\]::new$' { $type, '[WorldPing]' }
        }
        if ($new) { $text = $text.Remove($place.StartOffset, $place.EndOffset - $place.StartOffset).Insert($place.StartOffset, $new) }
    }
    # A script without `exit` ends with 0, whatever the last program said.
    return "$text`n`$global:WorldEnded = `$true`n"
}

function ConvertTo-Line($it) {
    $text = if ($it -is [Management.Automation.ErrorRecord]) { "ERROR: $it" } elseif ($it -is [Management.Automation.WarningRecord]) { "WARNING: $it" } else { "$it" }
    return $text.Replace($global:World.root, 'C:')
}

function Invoke-Script($request) {
    $global:World = @{
        root = $request.root; calls = [Collections.Generic.List[string]]::new(); answers = @{}; pauses = 0
        most = [int]$request.pauses; Now = [datetime]::new(2026, 11, 28, 12, 0, 0, [DateTimeKind]::Utc)
    }
    $names = [Collections.Generic.List[string]]::new()
    foreach ($key in $request.answers.PSObject.Properties) {
        $global:World.answers[$key.Name] = [Collections.Generic.List[object]]@($key.Value)
        $name = $key.Name.Split(' ')[0]
        if ($name.StartsWith('C:')) { $name = $name.Replace('C:', $request.root) }
        if ($name -notin $names -and $name -ne 'Ping') { $names.Add($name) }
    }
    foreach ($name in $names) {
        $shown = $name.Replace($request.root, 'C:')
        $body = [scriptblock]::Create($fake.Replace('SHOWN', $shown).Replace('NAME', $name))
        if ($name.Contains('/')) {
            $function = "World$($names.IndexOf($name))"
            Set-Item -LiteralPath "function:global:$function" -Value $body
            Set-Alias -Scope Global -Name $name -Value $function
        } else { Set-Item -LiteralPath "function:global:$name" -Value $body }
    }
    function global:Start-Sleep {
        $null = Invoke-WorldCommand 'Start-Sleep' $args
        $seconds = if ("$($args[0])" -like '-M*') { $args[1] / 1000 } else { $args[-1] }
        $global:World.Now = $global:World.Now.AddSeconds($seconds)
        $global:World.pauses++
        if ($global:World.pauses -ge $global:World.most) { throw 'the test ends the script' }
    }
    function global:Get-Date { if ($args.Count) { throw "the fake of Get-Date takes no arguments: $args" }; $global:World.Now }

    $file = Join-Path $request.root 'script.ps1'
    $before = @{}
    foreach ($it in $request.env.PSObject.Properties) {
        $before[$it.Name] = [Environment]::GetEnvironmentVariable($it.Name)
        [Environment]::SetEnvironmentVariable($it.Name, $it.Value)
    }
    $arguments = @{}
    foreach ($it in $request.args.PSObject.Properties) { $arguments[$it.Name] = $it.Value }
    $output = [Collections.Generic.List[string]]::new()
    $console = [IO.StringWriter]::new()
    $console.NewLine = "`n"
    $global:WorldEnded = $false
    $global:LASTEXITCODE = 0
    $ErrorActionPreference = 'Continue'
    [Console]::SetOut($console)
    try {
        [IO.File]::WriteAllText($file, (ConvertTo-Faked $request.text))
        & $file @arguments *>&1 | ForEach-Object { $output.Add((ConvertTo-Line $_)) }
        $code = if ($global:WorldEnded) { 0 } else { $global:LASTEXITCODE }
    } catch {
        # So ends powershell.exe -File.
        $code = 1
        $output.Add((ConvertTo-Line $_))
    } finally {
        foreach ($name in @($before.Keys)) { [Environment]::SetEnvironmentVariable($name, $before[$name]) }
        foreach ($name in $names) {
            if ($name.Contains('/')) { Microsoft.PowerShell.Management\Remove-Item -LiteralPath "alias:$name" } else { Microsoft.PowerShell.Management\Remove-Item -LiteralPath "function:$name" }
        }
        Microsoft.PowerShell.Management\Remove-Item -LiteralPath 'function:Start-Sleep', 'function:Get-Date'
    }
    return @{ calls = $global:World.calls; output = $output; console = $console.ToString().Replace($request.root, 'C:'); code = $code }
}

# The errors of each text, as "LINE: MESSAGE".
function Find-Errors($request) {
    $all = foreach ($text in $request.texts) {
        $tokens = $errors = $null
        $null = [Parser]::ParseInput($text, [ref]$tokens, [ref]$errors)
        , @($errors | ForEach-Object { "$($_.Extent.StartLineNumber): $($_.Message)" })
    }
    return @{ errors = @($all) }
}

while ($null -ne ($line = $requests.ReadLine())) {
    $request = ConvertFrom-Json $line -Depth 20
    try {
        $result = if ($request.texts) { Find-Errors $request } else { Invoke-Script $request }
    } catch {
        $result = @{ failure = "$_ $($_.ScriptStackTrace)" }
    }
    $answersTo.WriteLine((ConvertTo-Json -InputObject $result -Compress -Depth 20))
    $answersTo.Flush()
}
