const template = /\$\{([^}:]+)(?::-([^}]*))?\}/;

/** Replaces `${NAME:-default}` by the default, since tasks have no access to the gym's environment. */
export function resolved(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const match = new RegExp(`^${template.source}$`).exec(value);
      return [name, match ? (match[2] ?? "") : value];
    }),
  );
}
