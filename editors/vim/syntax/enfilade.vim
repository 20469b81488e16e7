" Vim syntax file: Enfilade. Written by `python -m editors.grammars`; do not edit.
if exists('b:current_syntax')
  finish
endif
let s:keep = &cpo
set cpo&vim
syn case match

" Of two rules that match at one place, the later one is taken.
syn match enfiladeMark /\S/
syn match enfiladeName /\v\a\w*|#\l?>|#/
syn match enfiladeNumber /\v\d+(\.\d+)?/
syn match enfiladeNumber /\v-?\d+\.\.(-?\d+|[[:alnum:]_(#]@!)|\.\.-?\d+/
syn match enfiladeDice /\v<(\d+d\d+|d\d+)>|<d\ze\s*\(/
syn match enfiladeKeyword /\v<(above|across|add|all|among|and|any|apply|as|assigns|assumed|at)>/
syn match enfiladeKeyword /\v<(be|becomes|below|beside|but|by|call|card|cards|cell|cells|chance)>/
syn match enfiladeKeyword /\v<(chart|charts|choose|chooses|choosing|codes|column|columns|count|cumulative|deck|define)>/
syn match enfiladeKeyword /\v<(die|doubles|down|draw|each|effect|effects|enfilade|erratum|error|even|event)>/
syn match enfiladeKeyword /\v<(example|examples|expect|explode|extends|faces|facts|falls|find|first|followed|for)>/
syn match enfiladeKeyword /\v<(from|give|given|gives|half|has|header|helper|high|highest|if|in)>/
syn match enfiladeKeyword /\v<(input|inside|is|item|last|least|leave|left|let|like|limit|list)>/
syn match enfiladeKeyword /\v<(lists|low|lowest|map|mark|may|mod|modifiers|most|must|nearest|net)>/
syn match enfiladeKeyword /\v<(never|no|none|not|note|nth|number|numbers|odd|of|off|on)>/
syn match enfiladeKeyword /\v<(once|one|only|option|or|otherwise|over|page|pages|players|printed|procedure)>/
syn match enfiladeKeyword /\v<(read|reader|reads|record|refuse|refused|remove|repeat|replace|required|reroll|reshuffle)>/
syn match enfiladeKeyword /\v<(results|return|right|rises|roll|rounded|row|ruleset|set|severity|shift|sorted)>/
syn match enfiladeKeyword /\v<(source|start|starts|stays|step|stop|sum|surplus|the|then|times|to)>/
syn match enfiladeKeyword /\v<(together|unless|until|up|use|when|where|whether|while|with|within|without)>/
syn match enfiladeKeyword /\v<(words|x|yes)>/
syn match enfiladeKeyword /\v<(yes\/no|fields\s+of|spread\s+evenly\s+over|cards\s+each)>/
syn match enfiladeKeyword /\v<or\s+(more|higher|greater|later|less|fewer|lower|earlier|worse|better)>/
syn match enfiladeCitation /\v\[[^\]]*\]/
syn match enfiladeMark /\v([=(,+*\/<>\[-]\s*)@20<=\[/
syn match enfiladeMark /\v(<(across|among|and|apply|be|becomes|by|choosing|expect|find|for|gives|has|in|is|least|mod|most|not|of|on|or|over|pages|remove|repeat|reroll|return|to|unless|until|when|where|while|with|within|without)>\s*)@20<=\[/
syn match enfiladeMark /\v(^\s*given>.*)@<=\[/
syn match enfiladeMark /\v^\s*\[/
syn match enfiladeString /\v"[^"]*"?/
syn match enfiladeCell /\v[^|\t]+/ contained
syn match enfiladeBar /|/ contained
syn match enfiladeRow /\v^\s*\|.*/ contains=enfiladeBar,enfiladeCell
syn match enfiladeRow /\v(^\s*header>([^"|]|"[^"]*")*)@<=\|.*/ contains=enfiladeBar,enfiladeCell
syn match enfiladeComment /\v(\S)@<!--(\s.*)?$/

hi def link enfiladeKeyword Keyword
hi def link enfiladeDice Special
hi def link enfiladeNumber Number
hi def link enfiladeName Normal
hi def link enfiladeMark Operator
hi def link enfiladeComment Comment
hi def link enfiladeString String
hi def link enfiladeCitation SpecialComment
hi def link enfiladeBar Delimiter
hi def link enfiladeCell Constant

let b:current_syntax = 'enfilade'
let &cpo = s:keep
unlet s:keep
