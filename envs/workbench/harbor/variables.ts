const template = /\$\{([^}:]+)(?::-([^}]*))?\}/;

/** The variables of a task, where `${NAME:-default}` stands for the default: the gym's own environment is closed to tasks. */
export function resolved(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const match = new RegExp(`^${template.source}$`).exec(value);
      return [name, match ? (match[2] ?? "") : value];
    }),
  );
}
