/** The completion script of zsh. */
import { choose, factFunctions, walk } from "./posix.js";
import type { Words } from "./words.js";

export function zshScript(words: Words): string {
  return `#compdef palestra
# Completion of palestra for zsh. Load it with: source <(palestra completion zsh)
${factFunctions(words)}
_palestra() {
  local current=\${words[CURRENT]}
  local -a before
  before=("\${(@)words[2,CURRENT-1]}")
${walk}
  if [[ $current == --*=* ]]; then
    wanted=\${current%%=*}
    compset -P '*='
  fi
${choose}
  if [[ $values == @files ]]; then _files
  elif [[ $values == *: ]]; then compadd -S '' -- \${=values}
  else compadd -- \${=values}
  fi
}

if (( $+functions[compdef] )); then compdef _palestra palestra; fi
`;
}
