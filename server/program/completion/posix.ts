/** Parts of the completion scripts that bash and zsh share: facts of each command, as `case` statements. */
import type { CompletedCommand, Source, Words } from "./words.js";

/** Quotes a word for a POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Returns words in one quoted string, separated by spaces. */
function listed(words: readonly string[]): string {
  return quoted(words.join(" "));
}

function sourceText(source: Source): string {
  return typeof source === "string" ? `@${source}` : source.join(" ");
}

/**
 * Returns shell functions:
 *
 * - `_palestra_facts PATH` sets `commands`, `options`, `valued` (options with a value) and `operands`.
 * - `_palestra_values PATH OPTION` sets `values`: words, or `@files`, `@environments`, `@splits`, `@tasks`.
 * - `_palestra_splits ENVIRONMENT` sets `values` to the splits of an environment, or to those of all.
 */
export function factFunctions({ commands, splits }: Words): string {
  const all = [...new Set(Object.values(splits).flat())];
  return `_palestra_facts() {
  commands= options= valued= operands=
  case "$1" in
${commands.map(factCase).join("\n")}
  esac
}

_palestra_values() {
  values=
  case "$1 $2" in
${commands.flatMap(valueCases).join("\n")}
  esac
}

_palestra_splits() {
  case "$1" in
${Object.entries(splits)
  .map(([name, names]) => `    ${quoted(name)}|${quoted(name)}@*) values=${listed(names)} ;;`)
  .join("\n")}
    *) values=${listed(all)} ;;
  esac
}

_palestra_environments=${listed(Object.keys(splits))}
`;
}

function factCase({ path, options, commands, values }: CompletedCommand): string {
  const names = options.flatMap((option) => option.names);
  const valued = options.filter((option) => option.values !== undefined).flatMap((option) => option.names);
  return `    ${quoted(path)})
      commands=${listed(commands.map(([name]) => name))}
      options=${listed(names)}
      valued=${listed(valued)}
      operands=${quoted(sourceText(values))} ;;`;
}

function valueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ names, values }) => {
    const text = values === undefined ? "" : sourceText(values);
    if (text === "") return [];
    return [`    ${names.map((name) => quoted(`${path} ${name}`)).join("|")}) values=${quoted(text)} ;;`];
  });
}

/**
 * Shell code that walks over `before`, the words between the program and the cursor. It sets `at` (the path of the
 * command), `wanted` (the option whose value is to be completed) and `environment` (the environment that the words name).
 */
export const walk = `  local at="" wanted="" environment="" word
  local commands options valued operands values
  _palestra_facts ""
  for word in "\${before[@]}"; do
    if [[ $word == "=" ]]; then continue; fi
    if [[ -n $wanted ]]; then
      if [[ $wanted == --env || $wanted == --environment ]]; then environment=$word; fi
      wanted=""
    elif [[ " $valued " == *" $word "* ]]; then wanted=$word
    elif [[ $word == -* ]]; then :
    elif [[ " $commands " == *" $word "* ]]; then
      at="\${at:+$at }$word"
      _palestra_facts "$at"
    elif [[ $operands == @environments ]]; then environment=$word
    fi
  done`;

/** Shell code that sets `values` to the words that the cursor may complete, or to `@files`. */
export const choose = `  if [[ -n $wanted ]]; then _palestra_values "$at" "$wanted"
  elif [[ $current == -* ]]; then values=$options
  elif [[ -n $commands ]]; then values=$commands
  else values=$operands
  fi
  case "$values" in
    @environments) values=$_palestra_environments ;;
    @splits) _palestra_splits "$environment" ;;
    @tasks) _palestra_splits "$environment"; values="\${values// /: }:" ;;
    @commands) _palestra_facts ""; values=$commands ;;
  esac`;
