/** The completion script of bash. */
import { choose, factFunctions, walk } from "./posix.js";
import type { Words } from "./words.js";

/** Returns the script, which also works in the bash 3.2 of macOS. */
export function bashScript(words: Words): string {
  return `# Completion of palestra for bash. Load it with: source <(palestra completion bash)
${factFunctions(words)}
_palestra() {
  local current=\${COMP_WORDS[COMP_CWORD]}
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${walk}
  if [[ $current == "=" ]]; then current=""; fi
${choose}
  COMPREPLY=()
  if [[ $values == @files ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$values" -- "$current"))
  if [[ $values == *: ]]; then compopt -o nospace 2>/dev/null; fi
}

complete -F _palestra palestra
`;
}
