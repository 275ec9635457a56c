# Completions of sandboxc for PowerShell.

Register-ArgumentCompleter -Native -CommandName sandboxc -ScriptBlock {
    param($word, $command, $cursor)

    $words = @($command.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object {
            $text = $_.Extent.Text
            $length = [Math]::Min($text.Length, $cursor - $_.Extent.StartOffset)
            $text.Substring(0, $length).Trim("'", '"')
        })
    $program = $words[0]
    $arguments = @($words | Select-Object -Skip 1)
    $empty = @()
    # Windows PowerShell does not pass an empty word.
    if ($command.Extent.EndOffset -lt $cursor -or $word -eq '') {
        $empty = @('--empty')
    }
    $values = @(& $program completions powershell @empty -- @arguments 2>$null | ForEach-Object {
            if ($_.StartsWith(':')) {
                $script:sandboxcDirective = [int]$_.Substring(1)
            } else {
                $value, $about = $_.Split("`t", 2)
                if (-not $about) { $about = $value }
                [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
            }
        })
    if ($values.Count -gt 0) {
        return $values
    }
    $directive = $script:sandboxcDirective
    if (-not ($directive -band 4)) {
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
    }
}
