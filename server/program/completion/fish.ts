/** The completion script of fish. */
import type { CompletedCommand, CompletedOption, Source, Words } from "./words.js";

export function fishScript({ commands, splits }: Words): string {
  const environments = Object.keys(splits);
  const all = [...new Set(Object.values(splits).flat())];
  const valued = [...new Set(commands.flatMap(valuedOptions))];
  const cases = Object.entries(splits).map(
    ([name, names]) =>
      `        case ${word(name)} ${word(`${name}@*`)}\n            printf '%s\\n' ${names.map(word).join(" ")}`,
  );
  return `# Completion of palestra for fish. Load it with: palestra completion fish | source
function __palestra_commands
    printf '%s\\n' ${(commands[0]?.commands ?? []).map(([name]) => word(name)).join(" ")}
end

function __palestra_environments
    printf '%s\\n' ${environments.map(word).join(" ")}
end

function __palestra_splits
    set -l named
    for each in (commandline -opc)
        for name in (__palestra_environments)
            string match -q -- "$name" "$each"; or string match -q -- "$name@*" "$each"; and set named $each
        end
    end
    switch "$named"
${cases.join("\n")}
        case '*'
            printf '%s\\n' ${all.map(word).join(" ")}
    end
end

# Whether the commands on the line are exactly those of the arguments.
function __palestra_at
    set -l tokens (commandline -opc)
    set -l found
    set -l isValue 0
    for token in $tokens[2..-1]
        if test $isValue = 1
            set isValue 0
            continue
        end
        contains -- "$token" ${valued.map(word).join(" ")}
        and set isValue 1
        contains -- "$found $token" ${commands.map(({ path }) => word(` ${path}`)).join(" ")}
        and set found "$found $token"
    end
    test "$found" = "$argv"
end

complete -c palestra -f
${commands.flatMap(linesOf).join("\n")}
`;
}

/** Returns the names of the options whose next word is their value. */
function valuedOptions({ options }: CompletedCommand): string[] {
  return options.filter(({ values }) => values !== undefined).flatMap(({ names }) => names);
}

function linesOf({ path, commands, options, values }: CompletedCommand): string[] {
  const at = `-n ${word(`__palestra_at ${word(path === "" ? "" : ` ${path}`)}`)}`;
  const operands = valueFlags(values);
  return [
    ...commands.map(([name, about]) => `complete -c palestra ${at} -a ${word(name)} -d ${word(about)}`),
    ...(operands === "" || commands.length > 0 ? [] : [`complete -c palestra ${at} ${operands}`]),
    ...options.map((option) => `complete -c palestra ${at} ${optionFlags(option)} -d ${word(option.description)}`),
  ];
}

function optionFlags({ names, values }: CompletedOption): string {
  const flags = names.map((name) =>
    name.startsWith("--") ? `-l ${word(name.slice(2))}` : `-s ${word(name.slice(1))}`,
  );
  if (values === undefined) return flags.join(" ");
  return [...flags, values === "files" ? "-r -F" : `-x ${valueFlags(values)}`.trim()].join(" ");
}

function valueFlags(values: Source): string {
  switch (values) {
    case "files":
      return "-F";
    case "environments":
      return "-a '(__palestra_environments)'";
    case "splits":
      return "-a '(__palestra_splits)'";
    case "tasks":
      return "-a '(__palestra_splits | string replace -r \\'$\\' :)'";
    case "commands":
      return "-a '(__palestra_commands)'";
    default:
      return values.length === 0 ? "" : `-a ${word(values.join(" "))}`;
  }
}

/** Quotes a word for fish. */
function word(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
