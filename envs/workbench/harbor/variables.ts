const template = /\$\{([^}:]+)(?::-([^}]*))?\}/;

/** Replaces `${NAME:-default}` with the default, because tasks cannot read the gym's environment variables. */
export function resolved(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const match = new RegExp(`^${template.source}$`).exec(value);
      return [name, match ? (match[2] ?? "") : value];
    }),
  );
}
