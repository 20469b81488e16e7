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
syn match enfiladeKeyword /\v<(above|across|add|added|all|among|and|any|apply|as|assigns|assumed)>/
syn match enfiladeKeyword /\v<(at|be|becomes|below|beside|best|better|but|by|call|card|cards)>/
syn match enfiladeKeyword /\v<(cell|cells|chance|chart|charts|choose|chooses|choosing|codes|column|columns|count)>/
syn match enfiladeKeyword /\v<(cumulative|deck|define|die|doubles|down|draw|each|effect|effects|enfilade|enough)>/
syn match enfiladeKeyword /\v<(erratum|error|even|evenly|event|example|examples|expect|explode|extends|faces|facts)>/
syn match enfiladeKeyword /\v<(falls|fields|find|first|followed|for|from|give|given|gives|half|has)>/
syn match enfiladeKeyword /\v<(header|helper|high|highest|if|in|input|inside|is|item|just|last)>/
syn match enfiladeKeyword /\v<(least|leave|left|less|let|like|limit|list|lists|low|lowest|map)>/
syn match enfiladeKeyword /\v<(mark|may|mean|mod|modifiers|more|most|much|must|nearest|net|never)>/
syn match enfiladeKeyword /\v<(no|none|not|note|nothing|nth|number|numbers|odd|of|off|on)>/
syn match enfiladeKeyword /\v<(once|one|only|option|or|otherwise|over|page|pages|players|possible|printed)>/
syn match enfiladeKeyword /\v<(procedure|product|random|read|reader|reads|record|refuse|refused|remove|repeat|replace)>/
syn match enfiladeKeyword /\v<(required|reroll|reshuffle|results|return|right|rises|roll|rounded|row|ruleset|set)>/
syn match enfiladeKeyword /\v<(severity|shift|sorted|source|spread|start|starts|stays|step|stop|sum|surplus)>/
syn match enfiladeKeyword /\v<(the|then|times|to|together|under|unless|until|up|use|when|where)>/
syn match enfiladeKeyword /\v<(whether|while|with|within|without|words|worse|worst|x|yes)>/
syn match enfiladeKeyword /\v<yes\/no>/
syn match enfiladeCitation /\v\[[^\]]*\]/
syn match enfiladeMark /\v([=(,+*\/<>\[-]\s*)@20<=\[/
syn match enfiladeMark /\v(<(across|all\s+of|among|and|any\s+of|apply|at\s+most|at\s+most|becomes|but\s+at\s+least|but\s+at\s+most|but\s+within|by|chance\s+of|choosing|count\s+of|down|expect|explode\s+on|fields\s+of|find|followed\s+by|for|from|gives|has|highest\s+of|in|inside|is|list\s+of|lowest\s+of|map\s+of|mean\s+of|mod|must\s+be|net\s+at\s+least|net\s+at\s+most|none\s+of|not|of|on|or|over|pages|product\s+of|remove|repeat|repeat\s+until|repeat\s+while|reroll|return|spread\s+evenly\s+over|sum\s+of|to|unless|when|where|with|without)>\s*)@20<=\[/
syn match enfiladeMark /\v(^\s*given>.*)@<=\[/
syn match enfiladeMark /\v^\s*\[/
syn match enfiladeString /\v"[^"]*"?/
syn match enfiladeMark /\v(<mark\s+)@<="\ze\s/
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
