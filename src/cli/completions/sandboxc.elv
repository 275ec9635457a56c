# Completions of sandboxc for elvish.

use str

set edit:completion:arg-completer[sandboxc] = {|@words|
  var directive = 4
  var count = 0
  var last = $words[-1]
  var answer = [(try {
    e:sandboxc completions elvish -- (all $words[1..]) 2>/dev/null
  } catch {
    nop
  })]
  for line $answer {
    if (str:has-prefix $line ':') {
      set directive = $line[1..]
    } else {
      var value @about = (str:split "\t" $line)
      set count = (+ $count 1)
      if (eq $about []) {
        edit:complex-candidate $value
      } else {
        edit:complex-candidate $value &display=$value' ('$about[0]')'
      }
    }
  }
  if (and (== $count 0) (has-value [0 2 16 18] $directive)) {
    edit:complete-filename $last
  }
}
